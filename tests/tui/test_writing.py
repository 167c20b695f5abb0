"""What is written is never lost on its way to the engine, and goes under one key."""

from __future__ import annotations

from itertools import count

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from tui.widgets.writing import Outgoing, Writing


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
    """Whatever the person, the engine and a crash do, each word and each image is in the draft or with the engine."""

    def __init__(self) -> None:
        super().__init__()
        self.written = writing()
        self.words = 0
        self.images: list[str] = []
        self.engine: dict[str, Outgoing] = {}

    def word(self) -> str:
        self.words += 1
        return f"word{self.words}"

    @rule()
    def write(self) -> None:
        self.written.text += f" {self.word()}"

    @rule(lines=st.integers(1, 3))
    def paste(self, lines: int) -> None:
        self.written.text += " " + self.written.parts.paste("\n".join(self.word() for _ in range(lines)))

    @rule()
    def attach(self) -> None:
        self.images.append(f"/pictures/{len(self.images)}.png")
        self.written.text += " " + self.written.parts.image(self.images[-1], "picture.png", 1)

    @rule(queue=st.booleans())
    def submit(self, queue: bool) -> None:
        self.written.submit(queue=queue)

    @rule(data=st.data(), fails=st.booleans())
    def engine_answers(self, data: st.DataObject, fails: bool) -> None:
        if not self.written.outgoing:
            return
        message = data.draw(st.sampled_from(self.written.outgoing))
        if fails:
            self.written.refused(message.key)
        else:
            assert message.key not in self.engine
            self.engine[message.key] = message
            self.written.taken(message.key)

    @rule(data=st.data())
    def take_back(self, data: st.DataObject) -> None:
        waiting = [message for message in self.engine.values() if message.queue]
        if waiting:
            message = data.draw(st.sampled_from(waiting))
            kept = self.written.draft_with(message.text, message.attachments)
            self.written.put_back(message.text, message.attachments)
            assert all(word in kept for word in message.text.split() if word.startswith("word"))
            del self.engine[message.key]

    @rule(data=st.data())
    def crash(self, data: st.DataObject) -> None:
        """A message may have reached the disk with the draft it left, and nobody heard."""
        draft = self.written.draft
        if self.written.outgoing and data.draw(st.booleans()):
            message = data.draw(st.sampled_from(self.written.outgoing))
            draft = self.written.draft_without(message.key)
            self.engine[message.key] = message
        self.written = Writing(self.written._new_key)
        self.written.restore(draft)

    @invariant()
    def every_word_and_every_image_is_somewhere_once(self) -> None:
        later = writing()
        later.restore(self.written.draft)
        text, images = later.parts.expand(later.text)
        everywhere = " ".join((text, *(message.text for message in self.engine.values()))).split()
        words = [word for word in everywhere if word.startswith("word")]
        assert sorted(words) == sorted(f"word{number}" for number in range(1, self.words + 1))
        attached = [*images, *(path for message in self.engine.values() for path in message.attachments)]
        assert sorted(attached) == sorted(self.images)


TestNothingIsLost = NothingIsLost.TestCase


def test_what_was_recalled_and_then_cleared_gives_way_again() -> None:
    writing = Writing(lambda: "key")
    writing.heard(["first", "second"])
    writing.text = writing.recall(-1) or ""
    assert writing.text == "second"
    writing.text = "second, changed"
    assert writing.recall(-1) is None
    writing.text = ""
    assert writing.recall(1) is None
    assert writing.recall(-1) == "second"
