"""Holds every folder to the layer order of docs/ARCHITECTURE.md: a file may include its own layer's folder and lower ones.

Also keeps private dependencies private: HIP, hipRTC, amd_comgr, spdlog, nlohmann-json and CLI11 each stay in their place.
"""
import pathlib
import re
import sys

# Folder -> folders of the project that it may include besides itself.
ALLOWED = {
    "base": [],
    "codeobj": ["base"],
    "cache": ["base"],
    "compile": ["base", "codeobj"],
    "device": ["base", "codeobj"],
    "sim": ["base", "codeobj"],
    "tune": ["base", "codeobj", "compile", "device"],
    "service": ["base", "codeobj", "cache", "compile", "device", "tune"],
    "ops": ["base", "codeobj", "device", "tune", "service", "kernels", "hk"],
    "api": ["base", "codeobj", "cache", "compile", "device", "tune", "service", "ops", "hk"],
}

# Foreign header prefix -> folders whose files may include it.
FOREIGN = {
    "hip/hiprtc.h": ["src/compile", "tests/sim"],
    "hip/": ["src/compile", "src/device/hip", "src/sim/hip_surface", "tests/sim/hip"],
    "amd_comgr/": ["src/sim/decode", "tests/sim"],
    "spdlog/": ["src/base/log.cpp"],
    "nlohmann/": ["src/base/json.cpp", "tools", "tests"],
    "CLI/": ["tools"],
    "doctest/": ["tests"],
}

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)


def layer_of(path):
    parts = path.parts
    if parts[0] == "src" and len(parts) > 2:
        return parts[1]
    return "cache" if parts[0] == "cache" else None


def violations(path):
    text = path.read_text(encoding="utf-8")
    layer = layer_of(path)
    for name in INCLUDE.findall(text):
        for prefix, places in FOREIGN.items():
            if name.startswith(prefix):
                if not any(str(path).startswith(place) for place in places):
                    yield f"{path}: <{name}> belongs to {', '.join(places)} only"
                break
        folder = name.split("/")[0]
        if layer and folder in ALLOWED and folder != layer and folder not in ALLOWED[layer]:
            yield f"{path}: layer '{layer}' must not include \"{name}\""


def main():
    found = []
    for top in ("src", "cache", "include", "tools", "tests"):
        for path in sorted(pathlib.Path(top).rglob("*")):
            if path.suffix in (".h", ".hpp", ".cpp", ".c"):
                found += violations(path)
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
