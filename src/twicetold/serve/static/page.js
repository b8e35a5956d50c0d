// Saves a reload here and there; every page works without it.
"use strict";
(() => {
  const say = (text) => { document.getElementById("said").textContent = text; };

  async function copy(button, text) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = document.createElement("textarea");
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
      button.focus();
    }
    say(button.dataset.said);
    const label = button.textContent;
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = label; }, 1500);
  }
  function copies(part) {
    for (const button of part.querySelectorAll("[data-copy], [data-copy-from], [data-copy-address]")) {
      button.addEventListener("click", async () => {
        const from = button.dataset.copyFrom;
        try {
          copy(button, from ? await (await fetch(from)).text() : button.dataset.copy ?? location.href);
        } catch { say("Could not be copied: the server does not answer."); }
      });
    }
  }

  // Enter in the claim sends it, as in a search box; Shift and Enter make a new line.
  const ask = document.getElementById("ask");
  if (ask) {
    const button = ask.querySelector("button.main");
    const label = button.textContent;
    ask.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && !event.shiftKey && !event.isComposing && event.target.id === "claim") {
        event.preventDefault();
        ask.requestSubmit(button);
      }
    });
    ask.addEventListener("submit", () => {
      button.setAttribute("aria-busy", "true");
      button.textContent = label === "Ask" ? "Asking…" : "Checking…";
      say(button.textContent.slice(0, -1));
    });
    window.addEventListener("pageshow", () => {
      button.removeAttribute("aria-busy");
      button.textContent = label;
    });
  }

  // The answer has the focus once it is there, so that a screen reader begins with it and Tab goes on from it.
  const answered = document.getElementById("answered");
  const toAnswer = () => document.getElementById("answer")?.focus({ preventScroll: true });
  if (answered && document.activeElement === document.body) toAnswer();

  // A better answer takes longer: it is fetched once the quick one is shown and takes its place, unless someone is busy with that one;
  // then only the words above it change.
  if (answered?.dataset.refine) {
    const looking = answered.querySelector("[data-looking]");
    const isAtAnswer = () => document.activeElement?.id === "answer";
    const isBusy = () => (answered.contains(document.activeElement) && !isAtAnswer()) || !document.getSelection().isCollapsed;
    fetch(answered.dataset.refine).then(async (answer) => {
      if (!answer.ok) throw new Error(String(answer.status));
      const better = document.createElement("div");
      better.innerHTML = await answer.text();
      const told = better.querySelector("#answer").textContent;
      if (!isBusy()) {
        const hadFocus = isAtAnswer();
        answered.replaceChildren(...better.childNodes);
        ready(answered);
        if (hadFocus) toAnswer();
      } else {
        answered.querySelector("#answer").textContent = told;
        looking?.replaceWith(better.querySelector(".sure") ?? "");
      }
      say(told);
    }).catch(() => { if (looking) looking.textContent = "The closer look failed; these are the nearest."; });
  }

  // A screenshot dropped on the page or pasted into the claim is read, and its words become the claim.
  const claim = document.getElementById("claim");
  if (claim) {
    const picture = document.getElementById("image");
    const wrong = document.getElementById("wrong");
    const held = document.getElementById("held");
    const readPicture = async (file) => {
      const label = held.textContent;
      wrong.textContent = "";
      held.textContent = "Reading the picture …";
      say("Reading the picture");
      try {
        const form = new FormData();
        form.append("file", file);
        const answer = await fetch("/v1/images", { method: "POST", body: form });
        const told = await answer.json();
        if (!answer.ok) throw new Error(told.detail);
        if (!told.text) throw new Error("No text was found in the picture; paste or type the claim instead.");
        claim.value = told.text;
        if (picture) picture.value = "";
        say("The picture was read.");
      } catch (error) {
        wrong.textContent = error.message;
      }
      held.textContent = label;
      claim.focus();
    };
    const take = (event, files) => {
      const found = [...files].find((file) => file.type.startsWith("image/"));
      if (found) { event.preventDefault(); readPicture(found); }
    };
    picture?.addEventListener("change", () => { if (picture.files[0]) readPicture(picture.files[0]); });
    claim.addEventListener("paste", (event) => take(event, event.clipboardData.files));
    document.addEventListener("dragover", (event) => { if (event.dataTransfer.types.includes("Files")) event.preventDefault(); });
    document.addEventListener("drop", (event) => take(event, event.dataTransfer.files));
  }

  // A word on an answer without leaving the page.
  function judges(part) { for (const form of part.querySelectorAll("form[data-judge]")) {
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const button = event.submitter;
      const body = new URLSearchParams(new FormData(form, button)); // before it is disabled: it would be left out
      button.disabled = true;
      try {
        const answer = await fetch(form.action, { method: "POST", body, headers: { "X-Part": "form" } });
        if (!answer.ok) throw new Error(String(answer.status));
        const told = (await answer.text()).trim();
        form.innerHTML = told;
        form.closest(".card").classList.toggle("refused", button.value === "0");
        say(form.querySelector("[data-noted]").textContent);
      } catch {
        button.disabled = false;
        button.textContent = "Could not be saved. Try again";
        say("Could not be saved.");
      }
    });
  } }
  const ready = (part) => { copies(part); judges(part); };
  ready(document);

  // Read a debate line by line, as the server finds what was checked.
  const debate = document.getElementById("debate");
  if (debate && window.TextDecoderStream) {
    const part = (id) => document.getElementById(id);
    const put = (list, markup) => { if (markup) list.insertAdjacentHTML("beforeend", markup); };
    const shown = { lines: 0, found: 0 };
    const hear = (name, told) => {
      if (name === "line") {
        put(part("lines"), told.line);
        put(part("cards"), told.card);
        shown.lines += 1;
        shown.found += told.card && told.is_checked ? 1 : 0;
        part("heard").textContent = `${shown.lines} ${shown.lines === 1 ? "line" : "lines"} read, ${shown.found} checked before …`;
      } else if (name === "end") {
        put(part("queue"), told.left);
        put(part("unread"), told.unread);
        for (const button of debate.querySelectorAll("[data-timed]")) button.hidden = !told.is_timed;
        part("heard").textContent = told.said;
        say(part("heard").textContent);
      } else if (name === "problem") {
        part("wrong").textContent = told.detail;
      }
    };
    const read = async (stream) => {
      let rest = "";
      const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
      for (;;) {
        const { value, done } = await reader.read();
        if (done) return;
        const blocks = (rest + value).split("\n\n");
        rest = blocks.pop();
        for (const block of blocks) {
          const [, name, data] = block.match(/^event: (\w+)\ndata: (.*)$/s) ?? [];
          if (name) hear(name, JSON.parse(data));
        }
      }
    };
    debate.addEventListener("submit", async (event) => {
      if (event.submitter?.name === "shape") return;
      event.preventDefault();
      for (const id of ["lines", "cards", "queue", "unread", "wrong"]) part(id).replaceChildren();
      Object.assign(shown, { lines: 0, found: 0 });
      const button = debate.querySelector("button.main");
      button.setAttribute("aria-busy", "true");
      part("reading").hidden = false;
      say("Reading");
      try {
        const answer = await fetch("/debate/lines", { method: "POST", body: new FormData(debate) });
        if (!answer.ok) throw new Error((await answer.json()).detail);
        await read(answer.body);
        debate.querySelector(".export").hidden = false;
      } catch (error) {
        part("wrong").textContent = error.message || "The server does not answer.";
      }
      button.removeAttribute("aria-busy");
    });
  }

  // Follow an import until it is over; then the page is loaded once more, with what was left out.
  const job = document.querySelector("[data-follow]");
  if (job) {
    const bar = job.querySelector("progress");
    const number = new Intl.NumberFormat("en");
    const show = (told) => {
      for (const field of job.querySelectorAll("[data-field]")) {
        const value = told[field.dataset.field];
        field.textContent = typeof value === "number" ? number.format(value) : value;
      }
      job.querySelector("[data-field=state]").className = "state " + told.state;
      if (told.to_index) { bar.max = told.to_index; bar.value = told.indexed; }
    };
    const follow = async () => {
      try {
        const answer = await fetch(job.dataset.follow, { headers: { Accept: "application/json" } });
        if (answer.ok) {
          const told = await answer.json();
          show(told);
          if (told.state === "done" || told.state === "failed") { location.reload(); return; }
        }
      } catch { say("The server does not answer; trying again."); }
      setTimeout(follow, 1000);
    };
    setTimeout(follow, 500);
  }
})();
