"""Library code never prints, aborts, exits or throws: src/ and cache/ may not contain the calls that do."""
import pathlib
import re
import sys

FORBIDDEN = re.compile(r"\b(std::cout|std::cerr|printf|fprintf|puts|perror|abort|exit|_exit|quick_exit|terminate|assert)\s*(\(|<<)"
                       r"|\bthrow\b")
# The child between fork and exec has no other way to end.
EXCEPTIONS = {}
COMMENT = re.compile(r"//.*|/\*.*?\*/|\"(?:\\.|[^\"\\])*\"", re.DOTALL)


def main():
    found = []
    for top in ("src", "cache"):
        for path in sorted(pathlib.Path(top).rglob("*")):
            if path.suffix not in (".h", ".cpp"):
                continue
            allowed = EXCEPTIONS.get(str(path), ())
            code = COMMENT.sub(lambda m: "\n" * m.group().count("\n"), path.read_text(encoding="utf-8"))
            for number, line in enumerate(code.splitlines(), 1):
                match = FORBIDDEN.search(line)
                if match and "static_assert" not in line and not any(word in match.group() for word in allowed):
                    found.append(f"{path}:{number}: '{match.group().strip()}' in library code")
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
