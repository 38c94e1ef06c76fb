"""Every target under kernel_sources/hk/arch has the same files, so a reader who knows one target knows where to look in
any other, and a new target is a copy with every file rewritten. Run from the root of the tree."""
import pathlib
import sys

ARCH = pathlib.Path("kernel_sources/hk/arch")


def main():
    found = []
    targets = {folder.name: {str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file()}
               for folder in sorted(ARCH.glob("*")) if folder.is_dir()}
    if len(targets) < 2:
        found.append(f"{ARCH}: fewer than two targets; run from the root of the tree")
    found += [f"{entry}: files belong into the folder of a target" for entry in sorted(ARCH.glob("*")) if entry.is_file()]
    everything = set().union(*targets.values()) if targets else set()
    for name, files in targets.items():
        found += [f"{ARCH / name}: no {missing}, which other targets have" for missing in sorted(everything - files)]
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
