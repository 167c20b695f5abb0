"""The frame of an HTML export: its style and its script, and the policy that lets nothing else run. Pure."""

from __future__ import annotations

import base64
import hashlib
from typing import Final

STYLE: Final = """
:root { color-scheme: light dark; --ink: #1c2733; --dim: #5b6875; --paper: #ffffff; --shade: #f2f5f8;
  --edge: #d5dde5; --you: #0b6e6e; --codex: #1d4f91; --plan: #6b3fa0; --act: #8a5a00; --mark: #ffe58a;
  --gone: #b3413a; }
@media (prefers-color-scheme: dark) { :root { --ink: #dbe3ea; --dim: #93a1af; --paper: #12181f;
  --shade: #1a222b; --edge: #2e3a46; --you: #4fd1c5; --codex: #7fb2f0; --plan: #c3a1f0; --act: #e0b050;
  --mark: #6b5600; --gone: #f0938b; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 60rem; padding: 0 1rem 4rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: anywhere; }
nav { position: sticky; top: 0; display: flex; gap: 1rem; align-items: center; padding: .6rem 0;
  background: var(--paper); border-bottom: 1px solid var(--edge); }
nav input { flex: 1; font: inherit; padding: .35rem .6rem; border: 1px solid var(--edge);
  border-radius: .4rem; background: var(--shade); color: inherit; }
nav output { color: var(--dim); min-width: 9rem; text-align: right; }
h1 { font-size: 1.5rem; margin: 1.5rem 0 .5rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; color: var(--dim); margin: 0; }
dd { margin: 0; }
article { margin: 1rem 0; padding-left: .9rem; overflow: clip; border-left: .2rem solid var(--edge); }
article > header { display: flex; justify-content: space-between; gap: 1rem; font-weight: 600; }
article time { color: var(--dim); font-weight: 400; font-size: .85rem; white-space: nowrap; }
article.user { border-color: var(--you); } article.user > header { color: var(--you); }
article.codex { border-color: var(--codex); } article.codex > header { color: var(--codex); }
article.plan { border-color: var(--plan); } article.plan > header { color: var(--plan); }
article.call > header, article.return > header { color: var(--act); }
article.thinking, article.notice, article.item { color: var(--dim); }
article p { margin: .4rem 0; }
article h1 { font-size: 1.25rem; } article h2 { font-size: 1.15rem; } article h3 { font-size: 1.05rem; }
article h1, article h2, article h3, article h4, article h5, article h6 { margin: .8rem 0 .3rem; }
a { color: var(--codex); } hr { border: 0; border-top: 1px solid var(--edge); }
.plain { white-space: pre-wrap; }
pre { background: var(--shade); border: 1px solid var(--edge); border-radius: .4rem; padding: .6rem .8rem;
  overflow-x: auto; font: .85rem/1.45 ui-monospace, monospace; margin: .5rem 0; }
code { font-family: ui-monospace, monospace; font-size: .9em; }
.wide { overflow-x: auto; margin: .5rem 0; } table { border-collapse: collapse; overflow-wrap: break-word; }
th, td { border: 1px solid var(--edge); padding: .2rem .6rem; text-align: left; max-width: 40rem; }
.right { text-align: right; } .center { text-align: center; }
blockquote { margin: .5rem 0; padding-left: .8rem; border-left: .2rem solid var(--edge); color: var(--dim); }
summary { cursor: pointer; color: var(--dim); }
ins { text-decoration: none; color: var(--you); } del { text-decoration: none; color: var(--gone); }
[hidden] { display: none; }
::highlight(found) { background: var(--mark); }
@media print { nav { display: none; } body { max-width: none; } article { break-inside: avoid-page; }
  pre { white-space: pre-wrap; } }
"""

SCRIPT: Final = """
"use strict";
const field = document.getElementById("search");
const told = document.getElementById("found");
const articles = Array.from(document.querySelectorAll("article"));
const texts = articles.map((one) => one.textContent.toLowerCase());
const folded = Array.from(document.querySelectorAll("details"));
function mark(words) {
  if (!window.CSS || !CSS.highlights) return;
  CSS.highlights.clear();
  const ranges = [];
  for (const article of articles) {
    if (article.hidden || !words.length) continue;
    const walker = document.createTreeWalker(article, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node && ranges.length < 5000; node = walker.nextNode()) {
      const text = node.data.toLowerCase();
      if (text.length !== node.data.length) continue;
      for (const word of words) {
        for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
          const range = new Range();
          range.setStart(node, at);
          range.setEnd(node, at + word.length);
          ranges.push(range);
        }
      }
    }
  }
  if (ranges.length) CSS.highlights.set("found", new Highlight(...ranges));
}
function search() {
  const words = field.value.toLowerCase().split(/\\s+/).filter(Boolean);
  let count = 0;
  articles.forEach((article, number) => {
    const found = words.every((word) => texts[number].includes(word));
    article.hidden = !found;
    if (found) count += 1;
  });
  for (const one of folded) one.open = words.length > 0;
  told.textContent = `showing ${count} of ${articles.length}`;
  mark(words);
}
let waiting = 0;
field.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(search, 120); });
window.addEventListener("beforeprint", () => { for (const one of folded) one.open = true; });
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && document.activeElement !== field) { event.preventDefault(); field.focus(); }
  if (event.key === "Escape") { field.value = ""; search(); }
});
search();
"""


def _digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


POLICY: Final = (
    f"default-src 'none'; style-src {_digest(STYLE)}; script-src {_digest(SCRIPT)}; "
    "base-uri 'none'; form-action 'none'"
)
"""Content Security Policy: exactly this style and this script, and no address is ever loaded."""

BEGIN: Final = (
    '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
    f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
    '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    '<meta name="referrer" content="no-referrer">\n'
)
MIDDLE: Final = (
    f"<style>{STYLE}</style>\n</head>\n<body>\n"
    '<nav><input id="search" type="search" placeholder="Search (press /)" aria-label="Search" '
    'autocomplete="off"><output id="found"></output></nav>\n'
)
END: Final = f"<script>{SCRIPT}</script>\n</body>\n</html>\n"
