"""`python -m tests.crash --kills N [--seed S]`: campaigns of ten kills until there were N."""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from codex_cli_bin import bundled_codex_path

from core.demo.process import ModelProcess
from core.demo.scratch import make_scratch, remove_scratch
from tests.crash.campaign import Campaign
from tests.crash.checks import check

KILLS_A_CAMPAIGN = 10


def campaign(seed: int, kills: int, model: ModelProcess) -> tuple[Campaign, list[str]]:
    scratch = make_scratch(model)
    try:
        with tempfile.TemporaryDirectory(prefix="qd-crash-") as data:
            run = Campaign(seed, scratch, Path(data), Path(bundled_codex_path()))
            run.run(kills)
            return run, asyncio.run(check(run, scratch.project))
    finally:
        remove_scratch(scratch)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    began, kills, messages, failed, streaming = time.monotonic(), 0, 0, 0, 0
    steps: Counter[str] = Counter()
    model = ModelProcess.start(pace=0.002, record=False)
    try:
        seed = arguments.seed
        while kills < arguments.kills:
            run, problems = campaign(seed, min(KILLS_A_CAMPAIGN, arguments.kills - kills), model)
            kills += run.story.kills
            messages += len(run.story.accepted)
            steps.update(run.story.steps)
            failed += bool(problems)
            streaming += run.owed.checked_streaming
            print(f"seed {seed}: {run.story.kills} kills, {len(problems)} problems", flush=True)
            for problem in problems:
                print(f"  {problem}", flush=True)
            seed += 1
    finally:
        model.close()
    print(f"{kills} kills, {messages} messages, {failed} campaigns failed, {time.monotonic() - began:.0f} s")
    print(f"{streaming} times an answer was looked at that a console found in the middle of streaming")
    for step, count in sorted(steps.items()):
        print(f"  {step:24} {count}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
