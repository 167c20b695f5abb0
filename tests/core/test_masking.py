"""Secrets in text are covered, and nothing else is."""

from __future__ import annotations

import json
import string
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.masking import MASK, mask, mask_json

WORD = string.ascii_letters + string.digits
PASSWORD = st.text(string.ascii_letters + string.digits + "!#%*+~^", min_size=8, max_size=40).map(
    "Zq9".__add__
)


def secrets() -> st.SearchStrategy[tuple[str, str]]:
    """(text with a secret in it, the secret)."""
    long = st.text(WORD, min_size=36, max_size=60)
    shapes = [
        "sk-{}", "sk-proj-{}", "ghp_{}", "github_pat_{}", "glpat-{}", "xoxb-{}", "hf_{}", "npm_{}", "pypi-{}",
        "sk_live_{}", "AIza{}",
    ]  # fmt: skip
    own_shape = st.tuples(st.sampled_from(shapes), long).map(lambda pair: (pair[0].format(pair[1][:35]),) * 2)
    places = [
        "API_KEY={}", "export DB_PASSWORD='{}'", 'SECRET_TOKEN="{}"', '"password": "{}"', "client_secret: '{}'",
        "https://me:{}@host.example/path", "postgres://user:{}@db/x", "Authorization: Bearer {}",
        "authorization: basic {}", "login --password {} now", "tool --token={}", '{{"apiKey": "{}"}}',
    ]  # fmt: skip
    assigned = st.tuples(st.sampled_from(places), PASSWORD).map(
        lambda pair: (pair[0].format(pair[1]), pair[1])
    )
    return st.one_of(own_shape, assigned)


PROSE = st.text(string.ascii_lowercase + " \n.,;", max_size=80)


@given(PROSE, secrets(), PROSE)
def test_no_secret_is_left_whatever_stands_around_it(
    before: str, secret: tuple[str, str], after: str
) -> None:
    text = f"{before}\n{secret[0]}\n{after}"
    masked = mask(text)
    assert secret[1] not in masked and MASK in masked
    assert masked.startswith(f"{before}\n") and masked.endswith(f"\n{after}")
    assert secret[1] not in mask_json(text)


@given(st.text())
def test_masking_twice_is_masking_once(text: str) -> None:
    assert mask(mask(text)) == mask(text)


@given(st.lists(secrets(), max_size=4))
def test_masked_secrets_are_masked_once(found: list[tuple[str, str]]) -> None:
    text = "\n".join(one for one, _ in found)
    assert mask(mask(text)) == mask(text)
    assert mask_json(mask_json(text)) == mask_json(text)


@given(
    st.text(string.ascii_letters + " \n.,;'()", max_size=300).filter(lambda text: "earer" not in text.lower())
)
def test_prose_is_returned_as_it_is(text: str) -> None:
    assert mask_json(text) == text


VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text(string.ascii_letters + ' "\\\n{}[]')),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.sampled_from(["a", "item_json", "text"]), inner)
    ),
    max_leaves=12,
)


@given(VALUES, PASSWORD, st.integers(0, 3))
def test_json_within_json_stays_json_and_keeps_no_secret(value: object, password: str, depth: int) -> None:
    text = json.dumps({"value": value, "password": password, "env": f"DB_PASSWORD={password}"})
    for _ in range(depth):
        text = json.dumps({"item_json": text})
    masked = mask_json(text)
    assert password not in masked
    inner = json.loads(masked)
    for _ in range(depth):
        inner = json.loads(inner["item_json"])
    assert inner == {"value": value, "password": MASK, "env": f"DB_PASSWORD={MASK}"}


@given(VALUES)
def test_json_without_a_secret_is_unchanged_to_the_byte(value: object) -> None:
    text = json.dumps(value, indent=3)
    assert mask_json(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "token = next(tokens)", "def login(password: str, token: str | None = None)", "max_tokens=4000",
        "TOKEN_LIMIT=4000", "the secret is: patience", "password: optional", "https://host.example:8080/a@b",
        "git@github.com:owner/name.git", "the key is under the mat", "sk-learn is a library", "passed=12 failed=0",
        "private_key_path: keys/id", "secret_name=prod-db-42",
    ],
)  # fmt: skip
def test_what_only_looks_like_a_secret_stays(text: str) -> None:
    assert mask(text) == text


def test_a_private_key_goes_whole_also_where_its_end_was_cut_off() -> None:
    key = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaA==\nAAAA\n"
    assert mask(f"a\n{key}-----END OPENSSH PRIVATE KEY-----\nb") == f"a\n{MASK}\nb"
    assert mask(f"a\n{key}") == f"a\n{MASK}"


def test_a_mask_does_not_tell_how_long_a_secret_was() -> None:
    assert mask("API_KEY=abc123") == mask("API_KEY=" + "abc123" * 40)


@pytest.mark.parametrize(
    "text",
    [
        "POSTGRES_PASSWORD: {}", "db_password={}",
        '{{"password": ["{}", "{}"]}}', "--db-password {}", "curl -s -u admin:{} https://host", "mysql -u root -p{} db",
        "sshpass -p {} ssh host", "Cookie: session={}; theme=dark", '"set-cookie": "id={}"', "token=abc.{}1234",
        "postgres://user:p@{}@host/db", "machine host login me password {}", "https://hooks.slack.com/services/T0/B0/{}hunter2hunter2",
    ],
)  # fmt: skip
def test_it_is_covered_also_where_only_the_program_says_that_it_is_a_secret(text: str) -> None:
    masked = mask_json(text.format(*["hunter2"] * 2))
    assert "hunter2" not in masked
    assert mask_json(masked) == masked


def test_a_number_is_a_password_too() -> None:
    assert json.loads(mask_json('{"password": 12345678, "tokens": 3}')) == {"password": MASK, "tokens": 3}


@pytest.mark.parametrize(
    "text",
    ["a_" * 500_000, "password=" * 100_000, "curl " * 200_000, "cookie: " * 100_000, "://a:" * 200_000, "--a-b-" * 150_000],
    ids=["underscores", "names", "programs", "headers", "addresses", "options"],
)  # fmt: skip
def test_a_megabyte_is_masked_in_a_bounded_time(text: str) -> None:
    began = process_time()
    mask(text)
    assert process_time() - began < 10
