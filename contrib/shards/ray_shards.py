#!/usr/bin/env python3
"""Plays all parts of a plan on a Ray cluster, and puts them together.

    adit shard plan --of 64 -o plan.json simulate tunnels --games 1000000
    python3 contrib/shards/ray_shards.py plan.json [--address auto]

Each part is one task, and a task brings its bytes home, so no folder is shared. A task whose worker dies is played again
by another one and comes to the same bytes. `adit` has to be on the path of each worker, or say where it is: `--adit PATH`.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import ray


@ray.remote(num_cpus=1, max_retries=-1)
def play(adit: str, plan: str, part: int) -> bytes:
    """Plays one part and returns its file."""
    with tempfile.TemporaryDirectory() as folder:
        here = pathlib.Path(folder)
        (here / "plan.json").write_text(plan, encoding="utf-8")
        command = [adit, "shard", "run", "--jobs", "1", "-o", "out.part", "plan.json", str(part)]
        subprocess.run(command, cwd=here, check=True)
        return (here / "out.part").read_bytes()


def main() -> int:
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("plan", type=pathlib.Path)
    args.add_argument("--address", help="of a cluster that runs; without it one starts here")
    args.add_argument("--adit", default="adit", help="the program, as the workers find it")
    args = args.parse_args()
    # Ray tells of workers that died where the answer belongs.
    sys.stdout = sys.stderr
    ray.init(address=args.address, log_to_driver=False)
    plan = args.plan.read_text(encoding="utf-8")
    tasks = {play.remote(args.adit, plan, part): part for part in range(json.loads(plan)["parts"])}
    while tasks:
        for done in ray.wait(list(tasks))[0]:
            part = tasks.pop(done)
            args.plan.with_suffix(f".{part}.part").write_bytes(ray.get(done))
    parts = sorted(str(it) for it in args.plan.parent.glob(f"{args.plan.stem}.*.part"))
    return subprocess.run([args.adit, "shard", "merge", str(args.plan), *parts], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
