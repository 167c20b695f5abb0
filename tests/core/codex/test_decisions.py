"""Choices and rights: what is offered, what is sent, and never more than was asked for."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.codex.decisions import COMMAND_DEFAULT, KNOWN_VERBS, choices
from core.codex.rights import granted, rights_of

RULE = {"acceptWithExecpolicyAmendment": {"execpolicy_amendment": ["git", "log", "a b"]}}


def network(action: str) -> dict[str, Any]:
    return {
        "applyNetworkPolicyAmendment": {"network_policy_amendment": {"host": "example.org", "action": action}}
    }


def test_choices_come_in_codexs_order_and_keep_its_words() -> None:
    offered = ("accept", "acceptForSession", RULE, network("allow"), network("deny"), "decline", "cancel")
    found = choices(offered)
    assert [choice.verb for choice in found] == [
        "accept",
        "accept_session",
        "accept_rule",
        "network_rule",
        "network_rule",
        "decline",
        "cancel",
    ]
    assert [json.loads(choice.raw) for choice in found] == list(offered)
    assert found[2].label == "Accept, and always allow commands that begin with git log 'a b'"
    assert found[3].label == "Always allow network access to example.org"
    assert found[4].label == "Never allow network access to example.org"


@pytest.mark.parametrize(
    ("offered", "verbs"),
    [
        ((), ["decline"]),
        (("accept",), ["accept", "decline"]),
        (("accept", "cancel"), ["accept", "decline", "cancel"]),
        (("decline",), ["decline"]),
        (COMMAND_DEFAULT, ["accept", "decline", "cancel"]),
    ],
)
def test_decline_is_always_offered(offered: tuple[str, ...], verbs: list[str]) -> None:
    assert [choice.verb for choice in choices(offered)] == verbs


@pytest.mark.parametrize(
    "decision",
    [
        "acceptForever",
        "accept_rule",
        "other",
        {"decline": {}},
        {"accept": {}},
        {"acceptWithExecpolicyAmendment": {"execpolicy_amendment": ["git"], "everywhere": True}},
        {"acceptWithExecpolicyAmendment": {"execpolicy_amendment": "git"}},
        {**RULE, **network("allow")},
        network("maybe"),
        3,
        None,
        [],
    ],
)
def test_a_decision_that_is_not_known_exactly_is_shown_as_it_is_and_never_taken(decision: Any) -> None:
    unknown, decline = choices((decision,))
    assert unknown.verb not in KNOWN_VERBS
    assert json.loads(unknown.raw) == decision
    assert unknown.label
    assert decline.verb == "decline"


def entry(access: str, path: str) -> dict[str, Any]:
    return {"access": access, "path": {"type": "path", "path": path}}


def test_a_path_that_codex_lists_twice_is_one_right() -> None:
    asked = {
        "fileSystem": {
            "read": ["/a"],
            "write": ["/b"],
            "entries": [entry("read", "/a"), entry("write", "/b")],
        }
    }
    told = [(right.label, right.to) for right in rights_of(asked)]
    assert told == [("Read /a", "read"), ("Write /b", "write")]


def test_old_hosts_that_have_no_entries_are_understood() -> None:
    asked = {"fileSystem": {"read": ["/a"], "write": ["/b", "/c"], "entries": None}}
    rights = rights_of(asked)
    assert [right.label for right in rights] == ["Read /a", "Write /b", "Write /c"]
    assert granted(rights) == {"fileSystem": {"read": ["/a"], "write": ["/b", "/c"]}}
    assert granted(rights[2:]) == {"fileSystem": {"write": ["/c"]}}


def test_what_is_denied_goes_with_every_file_right() -> None:
    denied = {"access": "deny", "path": {"type": "glob_pattern", "pattern": "**/.env"}}
    asked = {
        "fileSystem": {"entries": [entry("write", "/a"), denied, entry("read", "/b")], "globScanMaxDepth": 4}
    }
    write, read = rights_of(asked)
    assert write.label == "Write /a, except **/.env"
    assert granted([read]) == {
        "fileSystem": {"entries": [entry("read", "/b"), denied], "globScanMaxDepth": 4}
    }
    both = granted([write, read])["fileSystem"]
    assert isinstance(both, dict)
    assert both["entries"] == [entry("write", "/a"), denied, entry("read", "/b")]


def test_a_right_that_is_not_known_is_shown_and_can_be_granted() -> None:
    (right,) = rights_of({"camera": {"enabled": True}, "network": None})
    assert (right.label, right.to) == ('camera: {"enabled": true}', "other")
    assert granted([right]) == {"camera": {"enabled": True}}
    (right,) = rights_of({"fileSystem": {"mount": ["/a"], "read": None}})
    assert (right.label, right.to) == ('fileSystem: {"mount": ["/a"]}', "other")
    assert granted([right]) == {"fileSystem": {"mount": ["/a"]}}


def test_a_network_that_is_not_asked_for_is_no_right() -> None:
    assert rights_of({"network": {"enabled": False}}) == ()


ENTRIES = st.lists(
    st.builds(entry, st.sampled_from(["read", "write", "deny"]), st.sampled_from(["/a", "/b", "/c"])),
    max_size=5,
)


@given(ENTRIES, st.booleans(), st.data())
def test_nothing_is_granted_that_was_not_asked_for(
    entries: list[dict[str, Any]], enabled: bool, data: st.DataObject
) -> None:
    rights = rights_of({"network": {"enabled": enabled}, "fileSystem": {"entries": entries}})
    chosen = data.draw(st.lists(st.sampled_from(rights), unique=True)) if rights else []
    grant = granted(chosen)
    files = grant.get("fileSystem", {})
    assert isinstance(files, dict)
    given_entries = files.get("entries", [])
    assert isinstance(given_entries, list)
    assert all(one in entries for one in given_entries)
    if given_entries:
        assert all(one in given_entries for one in entries if one["access"] == "deny")
    assert "network" not in grant or enabled
    assert bool(grant) == bool(chosen)
