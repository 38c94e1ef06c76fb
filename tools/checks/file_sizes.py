"""One concept per file: source files have at most 500 lines, no tracked file is a large binary, and text is ASCII."""
import pathlib
import subprocess
import sys

SOURCE = {".h", ".hpp", ".cpp", ".c", ".py", ".sh", ".cmake"}
MAX_LINES = 500
MAX_BYTES = 256 * 1024
ASCII_ONLY = SOURCE | {".md", ".txt"}


def main():
    found = []
    tracked = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], check=True, capture_output=True, text=True)
    for name in tracked.stdout.splitlines():
        path = pathlib.Path(name)
        if not path.is_file():
            continue
        data = path.read_bytes()
        if len(data) > MAX_BYTES:
            found.append(f"{name}: {len(data)} bytes; files of more than {MAX_BYTES} bytes do not belong in the tree")
        if path.suffix in SOURCE and data.count(b"\n") > MAX_LINES:
            found.append(f"{name}: {data.count(10)} lines; split it by concept (limit {MAX_LINES})")
        if path.suffix in ASCII_ONLY and not data.isascii():
            found.append(f"{name}: not ASCII")
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
