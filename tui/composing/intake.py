"""What is put into the text for what was pasted or chosen: itself, or what stands for it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tui.composing.images import NoImage, image_file, pasted_images
from tui.composing.parts import Parts, is_big


class Intake:
    """`parts` are those of the text that is written now. `tell` says why something is no image."""

    def __init__(self, parts: Parts, folder: Callable[[], Path], tell: Callable[[str], None]) -> None:
        self.parts = parts
        self._folder = folder
        self._tell = tell

    def paste(self, text: str) -> str:
        """For a paste."""
        if paths := pasted_images(text, self._folder()):
            placeholders = [self.image(str(path)) for path in paths]
            return " ".join(placeholders) + " " if all(placeholders) else text
        return self.parts.paste(text) if is_big(text) else text

    def image(self, path: str) -> str:
        """For an image; "" where it is none, which is told."""
        try:
            found = image_file(Path(path))
        except NoImage as error:
            self._tell(str(error))
            return ""
        return self.parts.image(found.path, found.name, found.size)
