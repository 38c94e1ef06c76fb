# Everything that tools/dev itself says goes to stderr, so that stdout belongs to the command it runs.

say() { printf 'dev: %s\n' "$*" >&2; }
die() { printf 'dev: error: %s\n' "$*" >&2; exit 1; }
