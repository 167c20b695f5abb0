"""What is written is never lost on its way to the engine, and goes under one key."""

from __future__ import annotations

from itertools import count

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from tui.widgets.writing import Writing


def writing(text: str = "") -> Writing:
    numbers = count(1)
    return Writing(lambda: f"key-{next(numbers)}", text)


def test_a_message_is_in_the_draft_until_the_engine_has_it() -> None:
    written = writing("hello")
    message = written.submit()
    assert message is not None
    written.text = "and more"
    assert written.draft == "hello\nand more"
    written.taken(message.key)
    assert written.draft == "and more"


def test_a_refused_message_comes_back_before_what_was_written_since() -> None:
    written = writing("hello")
    message = written.submit()
    assert message is not None
    written.text = "and more"
    written.refused(message.key)
    assert written.text == "hello\nand more"
    assert written.outgoing == ()


def test_sent_again_unchanged_it_has_the_same_key_and_changed_another() -> None:
    written = writing("hello")
    first = written.submit()
    assert first is not None
    written.refused(first.key)
    again = written.submit()
    assert again is not None and again.key == first.key
    written.refused(again.key)
    written.text = "hello!"
    changed = written.submit()
    assert changed is not None and changed.key != first.key


def test_the_same_words_said_twice_are_two_messages() -> None:
    written = writing("go on")
    first = written.submit()
    assert first is not None
    written.taken(first.key)
    written.text = "go on"
    second = written.submit()
    assert second is not None and second.key != first.key


def test_nothing_and_blanks_are_no_message() -> None:
    assert writing("").submit() is None
    assert writing(" \n \n").submit() is None


def test_earlier_messages_are_recalled_one_by_one_and_left_again() -> None:
    written = writing()
    written.heard(["one", "two"])
    for step, text in ((-1, "two"), (-1, "one"), (1, "two"), (1, "")):
        recalled = written.recall(step)
        assert recalled == text
        written.text = recalled
    assert written.recall(1) is None


def test_what_was_written_does_not_give_way_to_a_recalled_message() -> None:
    written = writing("mine")
    written.heard(["one"])
    assert written.recall(-1) is None
    written.text = ""
    assert written.recall(-1) == "one"
    written.text = "one, changed"
    assert written.recall(-1) is None


def test_an_older_page_of_messages_does_not_move_what_is_recalled() -> None:
    written = writing()
    written.heard(["two"])
    written.text = written.recall(-1) or ""
    written.heard_before(["zero", "one"])
    assert written.recall(-1) == "one"


class NothingIsLost(RuleBasedStateMachine):
    """Whatever the person and the engine do, each written word is in the draft or with the engine, once."""

    def __init__(self) -> None:
        super().__init__()
        self.written = writing()
        self.words = 0
        self.engine: dict[str, str] = {}

    @rule()
    def write(self) -> None:
        self.words += 1
        self.written.text += f" word{self.words}"

    @rule()
    def submit(self) -> None:
        self.written.submit()

    @rule(data=st.data(), fails=st.booleans())
    def engine_answers(self, data: st.DataObject, fails: bool) -> None:
        if not self.written.outgoing:
            return
        message = data.draw(st.sampled_from(self.written.outgoing))
        if fails:
            self.written.refused(message.key)
        else:
            assert message.key not in self.engine
            self.engine[message.key] = message.text
            self.written.taken(message.key)

    @invariant()
    def every_word_is_somewhere_once(self) -> None:
        everywhere = " ".join((self.written.draft, *self.engine.values())).split()
        assert sorted(everywhere) == sorted(f"word{number}" for number in range(1, self.words + 1))


TestNothingIsLost = NothingIsLost.TestCase
