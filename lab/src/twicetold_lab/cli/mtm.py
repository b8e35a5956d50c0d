"""`twicetold lab gather`: make a set to judge. `twicetold lab mtm`: the experiments with key-sentence matching."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from twicetold.cli.output import Console, print_json
from twicetold.errors import BadInput

_PATH = click.Path(path_type=Path)


@click.command(
    epilog="Examples:\n\n  twicetold lab gather posts.jsonl --out units.csv\n\n"
    "  twicetold --data mine lab gather posts.jsonl --pictures pictures --depth 20 --out units.csv"
)
@click.argument("posts", type=_PATH)
@click.option("--pictures", type=_PATH, help="Folder of pictures called after the posts' ids; their text is appended. Needs the extra ocr.")
@click.option("--depth", default=50, show_default=True, type=click.IntRange(1), help="Candidates of each post.")
@click.option("--skip-broken", is_flag=True, help="Leave out records that cannot be read; each is counted and reported with its place.")
@click.option("--out", required=True, type=_PATH, help="Where to write the units, as CSV: a new file.")
@click.pass_obj
def gather(console: Console, posts: Path, pictures: Path | None, depth: int, skip_broken: bool, out: Path) -> None:
    """Make a set to judge of POSTS: copies dropped, candidates found.

    Names of accounts, e-mail addresses and phone numbers are removed; names of people stay, since claims are about people. Hand the file
    out with `twicetold lab judge assign --task match`, which leaves the scores out; what people say is summed up by `twicetold lab judge
    agree`.
    """
    from twicetold.cli.posts import only_posts
    from twicetold.ingest.images import read_image
    from twicetold.ingest.posts import read_posts
    from twicetold_lab.mtm.gather import gather as gathered
    from twicetold_lab.mtm.gather import with_pictures, write_units

    if out.exists():
        raise BadInput(f"{out} exists and is kept as it is; name a new file")
    read = list(only_posts(console, str(posts), read_posts(posts), skip_broken))
    if not read:
        raise BadInput(f"{posts} holds no post that can be read; wanted JSON Lines or a table with columns id and text")
    text_of = with_pictures(pictures, read_image) if pictures else lambda post: post.text
    with console.open() as collection:
        made = gathered(collection, read, depth=depth, text_of=text_of)
    write_units(made, out)
    left = made.posts - made.shares - made.copies - made.unanswered
    click.echo(f"{out}: {len(made.units):,} units of {left:,} posts; dropped {made.shares:,} shares, {made.copies:,} copies; "
               f"{made.unanswered:,} posts without a candidate")  # fmt: skip


_ROOT = click.option("--data-root", envvar="TWICETOLD_DATASETS", help="Folder of the public data sets (or TWICETOLD_DATASETS).")
_MODEL = click.option("--model", type=_PATH, help="A folder with an MTM; the one TWICETOLD_MTM names unless said.")


@click.group()
def mtm() -> None:
    """Key-sentence matching (Sheng et al. 2021): rows of its tables, its key sentences, its patterns, its speed."""


@mtm.command(
    epilog="Examples:\n\n  twicetold lab mtm row BM25 --data-root datasets\n\n"
    "  twicetold lab mtm row 'w/o PMB' --data-root datasets --seed 1"
)
@click.argument("row")
@_ROOT
@click.option("--on", "name", default="volee2020", show_default=True, type=click.Choice(["volee2020", "factchecktweet"]))
@click.option(
    "--work", default=".cache/mtm", show_default=True, type=_PATH, help="Where vectors, checkpoints, collections and runs are kept."
)
@click.option("--claims", default=200, show_default=True, type=click.IntRange(1), help="Test claims.")
@click.option("--seed", default=0, show_default=True)
@click.option("--without-images", is_flag=True, help="Vo & Lee's tweets without the text read from their images.")
@click.option("--seen", is_flag=True, help="Vo & Lee's tweets dealt alone, as published: test articles are in the training as well.")
def row(row: str, data_root: str | None, name: str, work: Path, claims: int, seed: int, without_images: bool, seen: bool) -> None:
    """Teach and measure ROW of Tables 2 and 3 and print it as JSON.

    ROW is a published name, such as BM25, Sentence-BERT or 'w/o PMB'; 'MTM printed' is without what we added, `shipped` the model that
    TWICETOLD_MTM names, in int8. Rows with a transformer to teach need the extra train. The run and its judgements are kept in --work,
    where `twicetold compare` can hold one against another.
    """
    from twicetold_lab.bring import write_qrels
    from twicetold_lab.datasets import data_root as found
    from twicetold_lab.mtm.candidates import Plan, Setup, read_task
    from twicetold_lab.mtm.rows import record_of, run_of, scorer_of
    from twicetold_lab.runs import save_jsonl

    if name != "volee2020" and (without_images or seen):
        raise BadInput(f"--without-images and --seen are of Vo & Lee's tweets; {name} has neither images nor another split")
    most = {"test": claims} if name == "volee2020" else {"test": claims, "train": 1600, "dev": 200}
    task = read_task(name, found(data_root), Plan(most=most, images=not without_images, unseen=not seen, cache=work / "collections"))
    made = run_of(row, scorer_of(row, Setup(task, work, seed)), task)
    save_jsonl(made, work / f"{task.name}-{row.replace('/', '').replace(' ', '-')}-{seed}.jsonl")
    write_qrels(task.qrels("test"), work / f"{task.name}.qrels")
    print_json(record_of(made, task))


@mtm.command(
    epilog="Examples:\n\n  twicetold lab mtm keys --data-root datasets\n\n  twicetold lab mtm keys --model my-mtm --claims 100\n\n"
    "  twicetold lab mtm keys --claims 100 --units units.csv\n\n  twicetold lab mtm keys --claims 100 --sheet ann.csv --sheet bob.csv"
)
@_ROOT
@_MODEL
@click.option("--claims", default=200, show_default=True, type=click.IntRange(1), help="At most so many claims.")
@click.option("--split", default="test", show_default=True, type=click.Choice(["train", "dev", "test"]))
@click.option("--units", type=_PATH, help="Write the chosen sentences here, for people to judge, in place of judging them.")
@click.option(
    "--sheet", "sheets", multiple=True, type=_PATH, help="A sheet that a person filled in; the majority then decides, not the rule."
)
def keys(data_root: str | None, model: Path | None, claims: int, split: str, units: Path | None, sheets: tuple[Path, ...]) -> None:
    """Judge key sentences by a written rule, beside the first, random, BM25's and the nearest three; as JSON.

    For people to judge them, write them with --units, hand them out with `twicetold lab judge assign --task key-sentence`, and give the
    filled sheets back with --sheet. Nothing on a sheet says who chose a sentence.
    """
    from twicetold_lab import annotate
    from twicetold_lab.datasets import data_root as found
    from twicetold_lab.mtm import keyrule

    if units is not None and (sheets or units.exists()):
        raise BadInput(f"{units} is there already and may be filled in; name another file" if units.exists() else "give --units or --sheet")
    labels = [label for sheet in sheets for label in annotate.read_sheet(sheet, annotate.TASKS["key-sentence"])]
    trial = keyrule.tried(found(data_root), model, claims=claims, split=split)
    if units is not None:
        written = keyrule.units(trial.pairs, trial.choices.values())
        annotate.write_sheet(units, written, list(written[0]))
        click.echo(f"{units}: {len(written):,} sentences of {len(trial.pairs):,} articles; next: twicetold lab judge assign {units} "
                   "--task key-sentence --to ann,bob,eve --out sheets")  # fmt: skip
        return
    if sheets:
        agreed = annotate.agreement(labels)
        people = keyrule.by_people(trial.pairs, trial.choices.values(), agreed.majority)
        print_json({**replace(trial, pairs=people).report(), "kappa": agreed.kappa})
        return
    print_json(trial.report())


@mtm.command("time", epilog="Examples:\n\n  twicetold lab mtm time\n\n  twicetold lab mtm time --threads 1 --turns 3")
@_MODEL
@click.option("--threads", default=2, show_default=True, type=click.IntRange(1))
@click.option("--turns", default=5, show_default=True, type=click.IntRange(1), help="The median of so many is told.")
def time_it(model: Path | None, threads: int, turns: int) -> None:
    """Time key sentences and reranking, beside reading every sentence; as JSON."""
    from twicetold_lab.mtm.timing import report

    print_json(report(model, threads=threads, turns=turns))


@mtm.command(epilog="Examples:\n\n  twicetold lab mtm patterns --data-root datasets\n\n  twicetold lab mtm patterns --model my-mtm --json")
@_ROOT
@_MODEL
@click.option("--out", default="patterns.png", show_default=True, type=_PATH, help="Where to draw, as PNG and SVG.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object for each pattern.")
def patterns(data_root: str | None, model: Path | None, out: Path, as_json: bool) -> None:
    """Draw MTM's patterns among the residuals of Vo & Lee's sentences, and print the words and sentences that make each."""
    from twicetold.rank.mtm.model import Mtm
    from twicetold.rank.mtm.recipe import named_model
    from twicetold_lab.datasets import data_root as found
    from twicetold_lab.mtm import patterns as seeing
    from twicetold_lab.mtm.candidates import Plan, read_task

    opened = Mtm.load(model) if model else named_model()
    task = read_task("volee2020", found(data_root), Plan(most={"train": 300, "dev": 1, "test": 100}))
    written = seeing.draw(task, opened, out)
    assert opened.patterns is not None, "draw refuses a model without patterns"
    for one in seeing.described(seeing.seen_in(task, opened), opened.patterns):
        if as_json:
            print_json({"pattern": one.number, "sentences": one.sentences, "words": list(one.words), "typical": list(one.typical)})
            continue
        click.echo(f"{one.number:>2}  {one.sentences:>6,} sentences  {', '.join(one.words)}")
        for text in one.typical:
            click.echo(f"      {text[:110]}")
    click.echo("\n".join(map(str, written)), err=as_json)
