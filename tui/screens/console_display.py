"""What the console shows: each of its parts is brought up to date from the desk."""

from __future__ import annotations

from time import time
from typing import TYPE_CHECKING

from core.errors import QuarterdeckError
from tui.screens.console_parts import TINY, ConsoleParts
from tui.screens.thread_words import STALLED, stall_words, thread_words
from tui.widgets.notices import Level, error_words
from tui.widgets.session_groups import grouped
from tui.widgets.status_text import StatusFacts
from tui.widgets.welcome import recent_of
from tui.widgets.writing import Outgoing, Writing

if TYPE_CHECKING:
    from textual import events
    from textual.widget import Widget

    from core.conversation.choosing import Selected
    from core.conversation.feed import AccountRead, HostChanged, Notification, ThreadState
    from tui.hearing import Heard
    from tui.place import Place

PROMPT_SHARE = 0.6
"""How much of the screen's height a prompt may take."""

PROMPT_ROWS = 6
"""Below them a prompt is hard to read: then the conversation gives way."""

STAGE_ROWS = 3
"""Of the conversation, that are seen beside a prompt where there is any room."""

LEAST_STAGE = 1
"""Of the conversation, that Textual gives it however little there is."""

NOT_UP = "not up"
HOST = "host"
STARTING = "waits until all is up"
SCRATCH = "a scratch folder"
"""Where the demo works, until it is there."""


class ConsoleDisplay(ConsoleParts):
    """Those parts that have nothing to show before the engine is there are put up with it."""

    _told_stall: ThreadState | None = None
    branch = ""

    def on_mount(self) -> None:
        folder = SCRATCH if self.launch.demo else str(self.launch.folder)
        self._welcome.show(folder, self._home, demo=self.launch.demo)
        self._status.show(StatusFacts(folder, self._home))
        self.show_starting()
        self.composer.focus_input()

    def on_descendant_focus(self) -> None:
        self.show_keys()

    def on_resize(self, event: events.Resize) -> None:
        self.set_class(event.size.height < TINY, "-tiny")
        self._fit_prompts()

    # What the engine screen wants shown.

    def opened(self) -> None:
        from tui.screens.signing_in import SigningIn
        from tui.startup import PromptArea, SignIn

        assert self.session is not None
        self.composer.waits = ""
        self.prompts = PromptArea(widget_id="prompts", title_of=self._title_of)
        self.sign_in = SignIn()
        self.sign_in.display = False
        self.signing_in = SigningIn(
            self.session.engine, self.sign_in, tell=self.notices.tell, leave=self.composer.focus_input
        )
        self.query_one("#main").mount(self.sign_in, self.prompts, before=self.composer)
        self.transcript.display = False
        self.query_one("#stage").mount(self.transcript, before=self.newer)
        self._fit_prompts()
        self.screen_layout_refresh_signal.subscribe(self, self._fit_prompts, immediate=True)
        self.show_account(self.session.engine.account)
        self._show_host(self.session.engine.host)
        if report := self.session.engine.report:
            self.notices.tell(report, "warning")

    def show_starting(self) -> None:
        """The engine comes up; what is written is kept meanwhile."""
        self._status.show_thread("starting")
        self.composer.waits = STARTING
        self.composer.say("Write already: Enter sends it as soon as all is up")

    def not_opened(self, error: QuarterdeckError) -> None:
        self.tell_error(error)
        self._status.show_thread(NOT_UP)
        again = f"{self.key_name('again')} tries again"
        self.composer.waits = again
        self.composer.say(f"What you write stays here; {again}")

    def show_place(self) -> None:
        desk = self.desk
        assert desk is not None
        self.composer.show(desk.current.writing)
        self.transcript.show(desk.current.document)
        self.newer.show(0)
        if self.prompts is not None:
            self.prompts.show(desk.pending()[0], desk.current.id)
        self._show_empty()
        self.show_listing()

    def show_heard(self, heard: Heard) -> None:
        if heard.document:
            self.transcript.document_changed()
            self._show_empty()
        for notification in heard.notifications:
            self._show_notification(notification)
        if heard.thread or heard.notifications:
            self.show_thread()
        if heard.account is not None:
            self.show_account(heard.account)
        if heard.host is not None:
            self._show_host(heard.host)
        for told in heard.told:
            self.notices.tell(self.about(told.conversation_id) + told.text, _level(told.level))

    def show_listing(self) -> None:
        if self.desk is not None:
            groups = grouped(
                self.desk.infos, str(self.desk.folder), int(time() * 1000), unread=self.desk.unread
            )
            self.sessions.show(groups, self.desk.current.id)
            self._welcome.show_recent(
                recent_of(self.desk.infos, str(self.desk.current.path), int(time() * 1000))
            )
            if self.prompts is not None:
                self.prompts.retitle()
            self.show_thread()

    def tell_error(self, error: QuarterdeckError) -> None:
        self.notices.tell(error_words(error), "error")
        self.refresh_bindings()

    def taken(self, writing: Writing, message: Outgoing) -> None:
        self.composer.taken(writing, message.key)

    def tell_left(self) -> None:
        self.notices.tell(
            "That conversation was put away or deleted. ↑ in an empty message brings back what you had written in it."
        )

    def refused(self, writing: Writing, message: Outgoing, error: QuarterdeckError) -> None:
        self.composer.refused(writing, message.key)
        self.tell_error(error)

    def show_leaving(self) -> None:
        """Everything is let go of; that may take a moment."""
        self._status.show_thread("leaving")

    # The parts.

    def show_thread(self) -> None:
        """What the thread does, what Enter will do, and which keys work now."""
        assert self.desk is not None
        place = self.desk.current
        words = thread_words(
            place,
            asked=bool(self.desk.pending()[0]),
            host_ready=self._host_ready,
            again=self.key_name("again"),
            sessions=self.key_name("sessions"),
        )
        self._status.show_thread(words.status, words.since)
        self.composer.say(words.hint, running=words.steers)
        self._tell_stall(place)
        self.show_facts()
        self.show_keys()

    @property
    def _host_ready(self) -> bool:
        return self.session is not None and self.session.engine.host.phase.value == "ready"

    def _tell_stall(self, place: Place) -> None:
        """Once each time it stops, until it goes on."""
        if not place.stalled:
            self._told_stall = None
            self.notices.forget(STALLED)
        elif place.state is not self._told_stall:
            self._told_stall = place.state
            self.notices.tell(stall_words(place.state, self.key_name("again")), "warning", topic=STALLED)

    def show_keys(self) -> None:
        """The keys that work where the focus is."""
        self.refresh_bindings()

    def show_own_keys(self) -> None:
        """Whatever names keys names other ones now."""
        self._welcome.refresh()
        self.newer.refresh()
        self.composer.query_one("#composer-hint").refresh()
        if self.prompts is not None:
            self.prompts.retitle()
        if self.sign_in is not None and self.sign_in.is_mounted:
            self.sign_in.name_keys()

    def show_account(self, account: AccountRead | None) -> None:
        """Offer to sign in where that is needed."""
        if self.signing_in is not None:
            self.signing_in.show(account)
            self.refresh_bindings()

    def _title_of(self, notification: Notification) -> str:
        from tui.prompts.words import asker

        assert self.desk is not None
        return asker(notification, self.desk.infos)

    def about(self, conversation_id: str | None) -> str:
        """Which conversation something is about, where it is not the current one."""
        assert self.desk is not None
        if conversation_id in (None, self.desk.current.id):
            return ""
        titles = (info.title for info in self.desk.infos if info.id == conversation_id)
        return f"{next(titles, 'Another conversation')}: "

    def _show_host(self, host: HostChanged) -> None:
        """In the status line; a host that is lost or cannot be had is told, until there is one."""
        match host.phase.value:
            case "unavailable":
                self.notices.tell(host.text, "error", topic=HOST)
            case "lost":
                self.notices.tell(host.text, "warning", topic=HOST)
            case "ready":
                self.notices.forget(HOST)
            case _:
                pass
        self.show_thread()

    def _show_notification(self, notification: Notification) -> None:
        assert self.desk is not None
        if self.prompts is not None and notification.conversation_id in (None, self.desk.current.id):
            self.prompts.update(notification)

    def _show_empty(self) -> None:
        assert self.desk is not None
        place = self.desk.current
        self._welcome.display = place.empty
        self.transcript.display = not place.empty
        if place.empty:
            self._welcome.show(str(place.path), self._home, demo=self.launch.demo)

    def show_facts(self) -> None:
        desk, session = self.desk, self.session
        assert desk is not None and session is not None
        usage = desk.current.usage
        host = session.engine.host
        self._status.show(
            StatusFacts(
                folder=str(desk.current.path),
                home=self._home,
                host=host.text,
                host_ready=self._host_ready,
                branch=self.branch,
                selected=self.selected(),
                context=usage.context if usage else None,
                window=usage.window if usage else None,
                waiting=len(desk.pending()[1]),
                writer=desk.current.writer,
            )
        )

    def selected(self) -> Selected | None:
        """What the next turn runs with."""
        raise NotImplementedError

    def fold_list(self) -> None:
        """A list that lies over the conversation goes."""
        self.remove_class("-list-over")

    def _fit_prompts(self, *_: object) -> None:
        """What one writes in is always on the screen: prompts take what the other parts leave, the conversation least."""
        if self.prompts is None:
            return
        main = self.query_one("#main")
        stage = self.query_one("#stage")
        others = sum(_rows(one) for one in main.children if one not in (stage, self.prompts) and one.display)
        room = main.size.height - others
        with_stage = room - STAGE_ROWS
        share = int(self.size.height * PROMPT_SHARE)
        self.prompts.fit(min(share, with_stage) if with_stage >= PROMPT_ROWS else room - LEAST_STAGE)
        stage.set_class(with_stage < PROMPT_ROWS, "-least")


def _rows(part: Widget) -> int:
    return part.outer_size.height + part.styles.margin.height


def _level(level: str) -> Level:
    return level if level in ("info", "warning", "error") else "info"
