"""Signing in to Codex: offered while it is needed, and carried out."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from core.conversation.feed import AccountRead
from core.engine import Engine
from core.errors import QuarterdeckError
from tui.widgets.sign_in import SignIn

T = TypeVar("T")


class SigningIn:
    """Belongs to the screen that has `widget`. `tell` says what came of it; `leave` takes the focus elsewhere."""

    def __init__(
        self, engine: Engine, widget: SignIn, *, tell: Callable[[str], None], leave: Callable[[], None]
    ) -> None:
        self._engine = engine
        self._widget = widget
        self._tell = tell
        self._leave = leave

    def show(self, account: AccountRead | None) -> None:
        """Offer to sign in where that is needed."""
        wanted = account is not None and account.needed and not account.signed_in
        if self._widget.display and not wanted:
            if self._widget.has_focus_within:
                self._leave()
            self._tell(f"Signed in{': ' + account.label if account and account.label else ''}")
            self._widget.offer()
        self._widget.display = wanted

    async def with_chatgpt(self, *, device: bool) -> None:
        """Have the person go to a page. Raises QuarterdeckError; the ways there are stand there again."""
        login = await self._offering_again(self._engine.login_chatgpt(device))
        self._widget.wait_for(login.url, login.code)

    async def with_key(self, key: str) -> None:
        """Raises QuarterdeckError; the ways there are stand there again."""
        await self._offering_again(self._engine.login_api_key(key))

    async def _offering_again(self, login: Awaitable[T]) -> T:
        try:
            return await login
        except QuarterdeckError:
            self._widget.offer()
            raise
