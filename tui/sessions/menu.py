"""The filters and the orders there are, to be picked from a list. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from core.sessions.model import Facet, Facets, SessionQuery, Sort
from tui.screens.pick import Pick
from tui.sessions.filter_line import STATES, TIMES, Filter
from tui.widgets.status_text import home_short

SORT_TITLE = "Sort by"
_SORTS = {
    Sort.RECENT: "the last change first",
    Sort.OLDEST: "the oldest first",
    Sort.TITLE: "by title",
    Sort.SIZE: "the largest first",
    Sort.RELEVANCE: "where the words fit best",
}
_WHICH = {
    "archived": "only those that were put away",
    "any": "those that were put away too",
    "pinned": "only pinned ones",
    "changed": "only those that changed files",
}
_TIMES = {"1m": "the last month", "3m": "three months", "1y": "the last year", "1w": "the last week"}


def filter_picks(facets: Facets, filters: Iterable[Filter]) -> tuple[Pick, ...]:
    """Each filter with how many sessions it has; those that hold now are marked, and picking one takes it away."""
    held = {str(one) for one in filters}

    def picks() -> Iterator[Pick]:
        for value, words in _WHICH.items():
            count = f"  {facets.archived}" if value == "archived" else ""
            yield _pick("is", value, words + count, "Which", held)
        for value in STATES:
            yield _pick("is", value, "", "State", held)
        home = str(Path.home())
        for one in facets.folders:
            yield _pick("in", one.value, f"{one.count}", "Folder", held, home_short(one.value, home))
        yield from _faceted("source", facets.sources, "Who began it", held)
        yield from _faceted("model", facets.models, "Model", held)
        yield from _faceted("branch", facets.branches, "Branch", held)
        yield from _faceted("tag", facets.tags, "Tag", held)
        for value in TIMES:
            yield _pick("since", value, _TIMES.get(value, ""), "Changed since", held)

    return tuple(picks())


def sort_picks(query: SessionQuery) -> tuple[Pick, ...]:
    now = query.sort or (Sort.RELEVANCE if query.text else Sort.RECENT)
    return tuple(
        Pick(f"sort:{sort.value}", sort.value, words, current=sort is now)
        for sort, words in _SORTS.items()
        if sort is not Sort.RELEVANCE or query.text
    )


def _faceted(name: str, found: Iterable[Facet], group: str, held: set[str]) -> Iterator[Pick]:
    for one in found:
        if one.value:
            yield _pick(name, one.value, f"{one.count}", group, held)


def _pick(name: str, value: str, words: str, group: str, held: set[str], shown: str = "") -> Pick:
    return Pick(
        f"{name}:{value}", shown or value, words, current=str(Filter(name, value)) in held, group=group
    )
