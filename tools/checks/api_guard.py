"""Every function of include/hk/hk.h is defined in src/api, is HK_NOEXCEPT, and can let nothing escape: a body that
returns hk_status is one call of hk::api::guard; the few others only read a table or this thread's last error."""
import pathlib
import re
import sys

DECLARATION = re.compile(r"^HK_API\s+[\w\s*]*?\b(hk_\w+)\s*\(", re.MULTILINE)
DEFINITION = re.compile(r"^(?P<type>[\w][\w\s*]*?)\b(?P<name>hk_\w+)\((?P<parameters>[^;{]*)\)(?P<noexcept>\s*HK_NOEXCEPT)?\s*\{",
                        re.MULTILINE)
UNGUARDED = {"hk_version", "hk_status_name", "hk_last_error_message", "hk_last_error_detail"}


GUARD = "return hk::api::guard("


def closing(text, start, pair):
    """Index of the bracket that closes the one just before start; the length of text if none does."""
    depth = 1
    for i in range(start, len(text)):
        depth += (text[i] == pair[0]) - (text[i] == pair[1])
        if depth == 0:
            return i
    return len(text)


def faults_of(path, text, defined):
    for match in DEFINITION.finditer(text):
        name = match["name"]
        defined.add(name)
        body = text[match.end():closing(text, match.end(), "{}")].strip()
        where = f"{path}: {name}"
        if not match["noexcept"]:
            yield f"{where} is not HK_NOEXCEPT"
        if name in UNGUARDED:
            if "{" in body.replace("= {", "") or "new " in body or "std::string" in body:
                yield f"{where} does more than a function without guard may"
        elif not body.startswith(GUARD):
            yield f"{where} does not begin with {GUARD}"
        elif body[closing(body, len(GUARD), "()"):] != ");":
            yield f"{where} has code behind its guard"


def main():
    declared = set(DECLARATION.findall(pathlib.Path("include/hk/hk.h").read_text(encoding="utf-8")))
    defined = set()
    found = []
    for path in sorted(pathlib.Path("src/api").glob("*.cpp")):
        found += faults_of(path, path.read_text(encoding="utf-8"), defined)
    found += [f"include/hk/hk.h: {name} is declared and not defined in src/api" for name in sorted(declared - defined)]
    found += [f"src/api: {name} is defined and not declared in include/hk/hk.h" for name in sorted(defined - declared)]
    if not declared:
        found.append("include/hk/hk.h: no declaration was found")
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
