#!/usr/bin/env python3
"""Prints the entry that test_entry_format_v1.cpp expects, from docs/CACHE.md alone. Needs xxhsum for the checksum."""

import struct
import subprocess


def counted(text):
    return f"{len(text)}:{text}"


def field(name, kind, value):
    return f"{counted(name)}={kind}{counted(value)}\n"


request = (
    field("format", "i", "1")
    + field("options", "l", counted("-O3") + counted("--offload-arch=gfx942"))
    + field("sources", "d", "0123456789abcdeffedcba9876543210")
    + field("spec", "s", "attention d128")
    + field("target", "s", "gfx942:sramecc+:xnack-")
).encode()
toolchain = (
    field("build-id libamd_comgr", "s", "c0ffee") + field("build-id libhiprtc", "s", "beef") + field("format", "i", "1")
).encode()
pairs = [("symbol", "attention_forward"), ("target", "gfx942")]
metadata = b"".join(struct.pack("<I", len(text)) + text.encode() for pair in pairs for text in pair)
payload = bytes(range(8))
total = 44 + len(request) + len(toolchain) + len(metadata) + len(payload) + 16
header = b"hkentry\0" + struct.pack(
    "<IIQQIII", 1, len(pairs), total, len(payload), len(request), len(toolchain), len(metadata)
)
body = header + request + toolchain + metadata + payload
printed = subprocess.run(["xxhsum", "-H2", "-"], input=body, capture_output=True, check=True).stdout
print((body + bytes.fromhex(printed.split()[0].decode())).hex())
