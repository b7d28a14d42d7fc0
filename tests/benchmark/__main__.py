"""`python -m benchmark FILE builds|saves|views`: measures, and writes one part of FILE; `--help` last tells more."""

import argparse
from pathlib import Path

from benchmark import builds, saves, views

PARTS = {"builds": builds.main, "saves": saves.main, "views": views.main}

parser = argparse.ArgumentParser(prog="benchmark")
parser.add_argument("file", type=Path)
parser.add_argument("part", choices=PARTS)
parser.add_argument("options", nargs=argparse.REMAINDER)
given = parser.parse_args()
PARTS[given.part](given.file, given.options)
