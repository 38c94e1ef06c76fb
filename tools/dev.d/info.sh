# dev info: which environment the other verbs use.
if use_native; then
  echo "environment: native (ROCm $(cat /opt/rocm/.info/version 2>/dev/null || echo unknown))"
else
  dev_root=$(ensure_root)
  echo "environment: development root $dev_root (entered by: $(namespace_command))"
  echo "packages: $(wc -l <"$dev_root/etc/hk-dev-manifest"); of these named in tools/dev.d/lib/packages.txt:"
  grep -v '^#' "$k_package_list" | tr '|' '\n' | grep -Fwf - "$dev_root/etc/hk-dev-manifest" |
    awk 'NR == FNR { wanted[$1]; next } $1 in wanted { printf "  %-24s %s\n", $1, $2 }' \
      <(grep -v '^#' "$k_package_list" | tr '|' '\n') -
fi
echo "checkout: $checkout"
git -C "$checkout" log -1 --format='commit: %h %cs %s' 2>/dev/null || true
