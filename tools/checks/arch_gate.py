"""Target knowledge stays in kernel_sources/hk/arch: no builtin, assembly, target macro, conditional compilation or wave
size outside it, and no include that leaves kernel_sources. Run from the root of the tree."""
import pathlib
import re
import sys

ROOT = pathlib.Path("kernel_sources")
ARCH = ROOT / "hk" / "arch"
# Builtins of the language itself: the same on every target and on the host.
PLAIN_BUILTINS = {"__builtin_huge_valf", "__builtin_fmaf", "__builtin_fmaxf", "__builtin_fminf"}
FORBIDDEN = [
    (r"\b__builtin_\w+", "a compiler builtin"),
    (r"\b(__asm__|__asm|asm)\b", "assembly"),
    (r"\b__(gfx|AMDGCN|AMDGPU|CUDA|HIP|NVCC)\w*", "a target macro"),
    (r"^\s*#\s*(if|ifdef|ifndef|elif)\b", "conditional compilation"),
    (r"\b(warpSize|wavefront|threadIdx|blockIdx|blockDim|__syncthreads|__shared__|__device__)\b", "a CUDA or HIP name"),
    (r"\b\w*(lane|thread)\w*(\(\))?\s*(%|/|&|\^|>>)\s*\d+", "arithmetic on lanes with a literal"),
    (r"\b(32|64)\s*\*\s*\w*[wW]aves\b|\b\w*[wW]aves\s*\*\s*(32|64)\b", "a wave size"),
    (r"__attribute__\s*\(\(|\[\[clang::", "a compiler attribute"),
]
INCLUDE = re.compile(r'^\s*#\s*include\s+(.*)$')
OWN_INCLUDE = re.compile(r"<(hk|kernels)/[\w/]+\.h>\s*$")


def without_comments(text):
    """The text with comments blanked, line numbers kept."""
    blank = lambda match: re.sub(r"[^\n]", " ", match.group())
    return re.sub(r"//[^\n]*|/\*.*?\*/", blank, text, flags=re.S)


def violations(path):
    inside_arch = ARCH in path.parents
    for number, line in enumerate(without_comments(path.read_text()).splitlines(), 1):
        include = INCLUDE.match(line)
        if include and not OWN_INCLUDE.match(include.group(1)):
            yield number, "an include from outside kernel_sources", line
        elif include and not inside_arch and "<hk/arch/" in line:
            yield number, "an include of one target (hk/target.h chooses)", line
        if inside_arch:
            if "mfma" in line and re.search(r"\basm\b", line):
                yield number, "a matrix instruction in assembly, invisible to the hazard recogniser", line
            continue
        for pattern, what in FORBIDDEN:
            for match in re.finditer(pattern, line):
                if match.group() not in PLAIN_BUILTINS:
                    yield number, what, line


def main():
    files = sorted(ROOT.rglob("*.h"))
    found = [f"{path}:{number}: {what} outside hk/arch: {line.strip()}" if ARCH not in path.parents else
             f"{path}:{number}: {what}: {line.strip()}"
             for path in files for number, what, line in violations(path)]
    if not files:
        found.append(f"{ROOT}: no kernel sources; run from the root of the tree")
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
