# dev exec -- CMD: stdin, stdout, exit status and signals pass through; this process becomes the command.
[[ ${1:-} == -- ]] && shift
(($# > 0)) || die "usage: tools/dev exec -- COMMAND [ARGUMENTS]"
if use_native; then
  export PATH="$checkout/build/dev/bin:$PATH"
  exec "$@"
fi
dev_root=$(ensure_root)
dev_become=1
enter_root "$dev_root" "$PWD" "$@"
