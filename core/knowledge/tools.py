"""The toolset `knowledge`: the model searches, reads and writes the documents that its conversation sees."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from core.knowledge.base import KnowledgeBase
from core.knowledge.documents import Hit, Origin, OwnerKind, Visible
from core.knowledge.render import source_line
from core.tools.toolset import Arguments, Tool, ToolContext, Toolset

PAGE = 20_000
"""Characters of a document that one call reads."""

HITS_AT_MOST = 20

VisibleTo = Callable[[str], Awaitable[Visible]]
"""What a conversation sees, by its id. Raises NotFound."""

_NAME = {"type": "string", "minLength": 1, "maxLength": 300, "description": "The document's name."}

_SEARCH = {
    "type": "object",
    "properties": {
        "query": {
            "type": "string",
            "minLength": 1,
            "maxLength": 1000,
            "description": 'Words that are all in the document, "a phrase", or the beginning of a word*.',
        },
        "limit": {"type": "integer", "minimum": 1, "maximum": HITS_AT_MOST},
    },
    "required": ["query"],
    "additionalProperties": False,
}

_READ = {
    "type": "object",
    "properties": {
        "name": _NAME,
        "owner": {
            "enum": [kind.value for kind in OwnerKind],
            "description": "Whose, where several have one.",
        },
        "offset": {"type": "integer", "minimum": 0, "description": "The character to begin at."},
    },
    "required": ["name"],
    "additionalProperties": False,
}

_WRITE = {
    "type": "object",
    "properties": {
        "name": _NAME,
        "text": {"type": "string", "description": "All of its text, Markdown."},
        "owner": {
            "enum": [OwnerKind.CONVERSATION.value, OwnerKind.WORKSPACE.value],
            "description": "Who is to see it: this conversation (if not said), or all in the workspace.",
        },
    },
    "required": ["name", "text"],
    "additionalProperties": False,
}


def knowledge_toolset(base: KnowledgeBase, visible_to: VisibleTo) -> Toolset:
    """What a model writes is marked as a model's, never pinned, and never takes the place of a person's."""

    async def search(context: ToolContext, arguments: Arguments) -> str:
        visible = await visible_to(context.conversation_id)
        hits = await base.search(visible.owners, arguments["query"], arguments.get("limit", 10))
        return _listed(hits)

    async def read(context: ToolContext, arguments: Arguments) -> str:
        visible = await visible_to(context.conversation_id)
        wanted = arguments.get("owner")
        owners = [owner for owner in visible.owners if wanted in (None, owner.kind.value)]
        document = await base.read(owners, arguments["name"])
        offset: int = arguments.get("offset", 0)
        page = document.text[offset : offset + PAGE]
        left = len(document.text) - offset - len(page)
        more = f"\n[{left} more characters: read on at offset {offset + len(page)}]" if left > 0 else ""
        return f"Source: {source_line(document.info)}\n\n{page}{more}"

    async def write(context: ToolContext, arguments: Arguments) -> str:
        visible = await visible_to(context.conversation_id)
        shared = arguments.get("owner") == OwnerKind.WORKSPACE.value
        owner = visible.workspace if shared else visible.conversation
        info = await base.write(owner, arguments["name"], arguments["text"], origin=Origin.MODEL)
        return f"Written: {source_line(info)} ({info.characters} characters)"

    return Toolset(
        "knowledge",
        (
            Tool("knowledge_search", "Search the documents kept for this work.", _SEARCH, search),
            Tool("knowledge_read", "Read a document that a search has found.", _READ, read),
            Tool("knowledge_write", "Keep a document for later, or replace one of yours.", _WRITE, write),
        ),
    )


def _listed(hits: Sequence[Hit]) -> str:
    if not hits:
        return "Nothing was found."
    return "\n\n".join(
        f"Source: {source_line(hit.info)}\nTitle: {hit.info.title}\n{hit.snippet}" for hit in hits
    )
