#!/usr/bin/env python3
"""Prints the translation units that `tools/dev tidy` checks, one absolute path a line.

usage: tidy_files.py CHECKOUT COMPILE_COMMANDS [BASE]

Without BASE: all of src, cache, tools, tests and examples that the compilation database knows. With BASE: those that
differ from it in the working tree, and for each header that differs one that includes it (the one of the same name if
there is one)."""
import json
import pathlib
import re
import subprocess
import sys

FOLDERS = ("src", "cache", "tools", "tests", "examples")


def git_paths(checkout, command, *arguments):
    git = ["git", "-C", str(checkout), command, "-z", *arguments]
    output = subprocess.run(git, check=True, stdout=subprocess.PIPE).stdout
    return [path for path in output.decode().split("\0") if path]


def in_folders(path):
    return path.split("/")[0] in FOLDERS


def includes(text):
    return re.findall(r'^\s*#\s*include\s+"([^"]+)"', text, re.MULTILINE)


def unit_for(header, units, checkout):
    """A unit that includes the header, by whichever suffix of its path; None if none does so directly."""
    users = []
    for unit in units:
        text = (checkout / unit).read_text(encoding="utf-8", errors="replace")
        if any(header == name or header.endswith("/" + name) for name in includes(text)):
            users.append(unit)
    same_name = pathlib.PurePath(header).with_suffix(".cpp").as_posix()
    return same_name if same_name in users else min(users, default=None)


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    checkout = pathlib.Path(sys.argv[1]).resolve()
    database = json.loads(pathlib.Path(sys.argv[2]).read_text(encoding="utf-8"))
    known = {str((pathlib.Path(entry["directory"]) / entry["file"]).resolve()) for entry in database}
    tracked = git_paths(checkout, "ls-files", "-co", "--exclude-standard")
    units = sorted(path for path in tracked if in_folders(path) and str(checkout / path) in known)
    if len(sys.argv) == 3:
        chosen = set(units)
    else:
        changed = set(git_paths(checkout, "diff", "--name-only", "--diff-filter=d", sys.argv[3], "--"))
        changed |= set(git_paths(checkout, "ls-files", "-o", "--exclude-standard"))
        chosen = {unit for unit in units if unit in changed}
        for header in sorted(path for path in changed if path.endswith((".h", ".hpp"))):
            unit = unit_for(header, units, checkout)
            if unit is not None:
                chosen.add(unit)
            else:
                print(f"dev: no translation unit includes {header} directly: not checked", file=sys.stderr)
    for unit in sorted(chosen):
        if unit.endswith(".cpp"):
            print(checkout / unit)


if __name__ == "__main__":
    main()
