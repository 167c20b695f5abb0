from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.access.patterns import CommandPattern, HostPattern, PathPattern, ToolPattern
from core.access.policy import Verdict
from core.access.rules import Reach, Rule, Scope, draft_of
from core.access.rules_file import dump_rules, parse_rules
from core.errors import InvalidRequest

texts = st.text(st.characters(exclude_categories=("Cs",)), max_size=12)
named = texts.filter(lambda text: bool(text.strip()))
patterns = st.one_of(
    st.builds(
        CommandPattern,
        st.tuples(named, st.one_of(st.none(), named)),
        st.booleans(),
    ),
    st.builds(lambda name: PathPattern(f"/{name}"), st.text("abcé x", min_size=1, max_size=8)),
    st.sampled_from([HostPattern("example.com"), HostPattern("*.example.com"), ToolPattern("depth")]),
)
scopes = st.sampled_from(
    [Scope(Reach.EVERYWHERE), Scope(Reach.WORKSPACE, "/home/dév/x"), Scope(Reach.CONVERSATION, "c1")]
)
kept = st.builds(
    Rule,
    id=st.integers(1, 99),
    verdict=st.sampled_from(Verdict),
    pattern=patterns,
    scope=scopes,
    expires_at_ms=st.one_of(st.none(), st.integers(0, 4_000_000_000_000)),
    enabled=st.booleans(),
    note=texts,
)


@given(rules=st.lists(kept, max_size=4, unique_by=lambda rule: rule.id))
def test_what_is_written_is_read_as_it_was(rules: list[Rule]) -> None:
    read = parse_rules(dump_rules(rules))
    assert [(one.id, one.draft) for one in read] == [(rule.id, draft_of(rule)) for rule in rules]


def test_a_rule_by_hand_needs_no_more_than_a_verdict_and_what_it_is_of() -> None:
    (one,) = parse_rules('[[rule]]\nverdict = "allow"\ncommand = "git status ..."\n')
    assert (one.id, str(one.draft), one.draft.scope) == (None, "allow git status …", Scope(Reach.EVERYWHERE))


GOOD = '[[rule]]\nverdict = "allow"\ncommand = "ls"\n\n'


@pytest.mark.parametrize(
    ("text", "where", "why"),
    [
        ("[[rule]\n", "line 1", "TOML"),
        ("version = 1\n" + GOOD, "line 1, version", "no such key"),
        ('[rule]\nverdict = "allow"\n', "line 1, rule", "double brackets"),
        (GOOD + '[[rule]]\nverdict = "perhaps"\ncommand = "ls"\n', "line 6, rule.2.verdict", "perhaps"),
        (GOOD + '[[rule]]\nverdict = "allow"\n', "rule.2.verdict", "one of command"),
        (
            GOOD + '[[rule]]\nverdict = "allow"\ncommand = "git \'log"\n',
            "line 7, rule.2.command",
            "quotation",
        ),
        (GOOD + '[[rule]]\nverdict = "allow"\ncommand = 7\n', "line 7, rule.2.command", "quotation marks"),
        (
            GOOD + '[[rule]]\nverdict = "allow"\ncommand = "ls"\npath = "/x"\n',
            "line 8, rule.2.path",
            "only one",
        ),
        (GOOD + '[[rule]]\nverdict = "allow"\ncomand = "ls"\n', "line 7, rule.2.comand", "no such key"),
        (GOOD + '[[rule]]\nverdict = "allow"\nhost = "http://x"\n', "line 7, rule.2.host", "name alone"),
        (GOOD + '[[rule]]\nverdict = "allow"\npath = "x"\n', "line 7, rule.2.path", ""),
        (GOOD + '[[rule]]\nverdict = "deny"\ncommand = "ls"\nworkspace = "here"\n', "line 8", "folder"),
        (
            GOOD + '[[rule]]\nverdict = "deny"\ncommand = "ls"\nexpires = "soon"\n',
            "line 8, rule.2.expires",
            "date",
        ),
        (GOOD + '[[rule]]\nverdict = "deny"\ncommand = "ls"\nenabled = 1\n', "line 8", "true or false"),
        (
            '[[rule]]\nid = 3\nverdict = "deny"\ncommand = "a"\n[[rule]]\nid = 3\nverdict = "deny"\ncommand = "b"\n',
            "line 6, rule.2.id",
            "another rule",
        ),
    ],
)
def test_a_mistake_is_named_with_its_line_and_its_key(text: str, where: str, why: str) -> None:
    with pytest.raises(InvalidRequest) as raised:
        parse_rules(text)
    assert where in raised.value.what
    assert why in str(raised.value)
