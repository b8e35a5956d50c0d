"""A server elsewhere, asked from Python: `Client("https://checks.example").match("…")` gives the same `Ranking` as `twicetold.match`.

Needs nothing but the standard library. It asks once: whoever wants to try again catches the error.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, overload

from twicetold.errors import OutOfReach, TwicetoldError
from twicetold.types import Claim, FactCheck, Ranking, from_json, to_json

_SECONDS = 60.0


class Client:
    """Asks one server. `key` is one of its keys; reading on the same machine needs none."""

    def __init__(self, address: str, *, key: str = "", seconds: float = _SECONDS) -> None:
        self.address = address.rstrip("/")
        self._key = key
        self._seconds = seconds

    def __repr__(self) -> str:
        return f"<Client {self.address}>"

    @overload
    def match(self, claim: str | Claim, **asking: Any) -> Ranking: ...
    @overload
    def match(self, claim: Iterable[str | Claim], **asking: Any) -> list[Ranking]: ...
    def match(self, claim: str | Claim | Iterable[str | Claim], **asking: Any) -> Ranking | list[Ranking]:
        """Find the fact-checks that answer a claim, or each of several; `asking` is as in the API: top, recipe, risk, filters."""
        if isinstance(claim, str | Claim):
            return from_json(Ranking, self._ask("POST", "/v1/match", {**_record(claim, "c1"), **asking}))
        claims = [_record(one, f"c{number}") for number, one in enumerate(claim, start=1)]
        told = self._ask("POST", "/v1/match/batch", {"claims": claims, **asking})
        return [from_json(Ranking, record) for record in told["rankings"]]

    def get(self, id: str) -> FactCheck:
        """Return a fact-check by its id. Raises TwicetoldError if there is none."""
        from urllib.parse import quote

        return from_json(FactCheck, self._ask("GET", f"/v1/fact-checks/{quote(id, safe='')}"))

    def judge(self, claim: str, check_id: str, *, answers: bool) -> None:
        """Say whether a fact-check answers a claim; it comes first, or last, from then on. Needs a key that may write."""
        self._ask("POST", "/v1/judgements", {"claim": claim, "check_id": check_id, "grade": int(answers)})

    def stats(self) -> dict[str, Any]:
        """Return what the server's collection holds."""
        return self._ask("GET", "/v1/stats")

    def _ask(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> dict[str, Any]:
        from urllib.error import HTTPError, URLError
        from urllib.request import Request, urlopen

        headers = {"Accept": "application/json", **({"Authorization": f"Bearer {self._key}"} if self._key else {})}
        content = None if body is None else json.dumps(body).encode()
        if content is not None:
            headers["Content-Type"] = "application/json"
        try:
            with urlopen(Request(self.address + path, content, headers, method=method), timeout=self._seconds) as answer:
                told = json.load(answer)
        except HTTPError as error:
            raise TwicetoldError(f"{self.address} refused: {_reason(error.read(), error.code)}") from None
        except (URLError, TimeoutError, ConnectionError) as error:
            raise OutOfReach(f"{self.address} does not answer ({getattr(error, 'reason', error)}); is the server running there?") from None
        except ValueError:
            raise TwicetoldError(f"{self.address} is not a twicetold server: its answer is not JSON") from None
        if not isinstance(told, dict):
            raise TwicetoldError(f"{self.address} is not a twicetold server: its answer is not an object")
        return told


def _record(claim: str | Claim, id: str) -> dict[str, Any]:
    if isinstance(claim, str):
        return {"id": id, "text": claim}
    told: dict[str, Any] = to_json(claim)
    told.pop("kind")
    return told


def _reason(body: bytes, status: int) -> str:
    try:
        return str(json.loads(body)["detail"])
    except (ValueError, KeyError, TypeError):
        return f"status {status}"
