# The development root: Debian forky unpacked into a folder, the same way for root and for ordinary users.
# Nothing is installed on the host. Sourced by tools/dev; needs messages.sh and $checkout.

readonly k_root_suite=forky
readonly k_root_format=3 # raise when the way a root is made changes
readonly k_package_list="$checkout/tools/dev.d/lib/packages.txt"

dev_root_folder() {
  if [[ -n ${HK_DEV_ROOT:-} ]]; then
    printf '%s\n' "$HK_DEV_ROOT"
  else
    printf '%s/hk-dev\n' "${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}"
  fi
}

root_digest() {
  { printf '%s %s\n' "$k_root_format" "$k_root_suite"; cat "$k_package_list"; } | sha256sum | cut -c1-16
}

# The mirror that the host already uses for Debian's main archive; any Debian-like host can name one instead.
find_mirror() {
  if [[ -n ${HK_DEBIAN_MIRROR:-} ]]; then
    printf '%s\n' "$HK_DEBIAN_MIRROR"
    return
  fi
  local found
  found=$(apt-get indextargets --format '$(COMPONENT) $(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
    awk '$1 == "main" && $2 ~ /debian\/?$/ && $2 !~ /security/ { print $2; exit }')
  [[ -n $found ]] || die "no Debian mirror is configured on this machine; set HK_DEBIAN_MIRROR to the address of one"
  printf '%s\n' "$found"
}

find_keyring() {
  local keyring=${HK_DEBIAN_KEYRING:-/usr/share/keyrings/debian-archive-keyring.gpg}
  [[ -r $keyring ]] ||
    die "$keyring is missing: install the package debian-archive-keyring, or name a keyring in HK_DEBIAN_KEYRING"
  printf '%s\n' "$keyring"
}

# A private apt configuration: own folders, an empty package status, the host's keyring.
write_apt_configuration() {
  local apt=$1
  mkdir -p "$apt/state/lists/partial" "$apt/cache/archives/partial" "$apt/etc/trusted.gpg.d"
  : >"$apt/state/status"
  printf 'deb [signed-by=%s] %s %s main\n' "$(find_keyring)" "$(find_mirror)" "$k_root_suite" >"$apt/etc/sources.list"
  cat >"$apt/apt.conf" <<TEXT
Dir "$apt";
Dir::State "$apt/state";
Dir::State::status "$apt/state/status";
Dir::Cache "$apt/cache";
Dir::Etc "$apt/etc";
Dir::Etc::sourcelist "$apt/etc/sources.list";
Dir::Etc::sourceparts "-";
Dir::Etc::main "-";
Dir::Etc::parts "-";
APT::Architecture "amd64";
APT::Architectures { "amd64"; };
APT::Install-Recommends "false";
APT::Sandbox::User "";
Acquire::Languages "none";
Acquire::Check-Valid-Until "false";
Acquire::Retries "3";
TEXT
}

# Packages to ask for: of "a|b" the first that the archive has (sonames move between releases).
choose_packages() {
  local line choice found
  grep -v '^#' "$k_package_list" | while read -r line; do
    found=
    for choice in ${line//|/ }; do
      if [[ $line != *"|"* ]] || apt-cache show "$choice" >/dev/null 2>&1; then
        found=$choice
        break
      fi
    done
    # A name that does not exist makes apt-get stop with a message about it.
    printf '%s\n' "${found:-$line}"
  done
}

download_packages() {
  local folder=$1 attempt
  write_apt_configuration "$folder/apt"
  export APT_CONFIG=$folder/apt/apt.conf
  say "downloading Debian $k_root_suite packages (the archive's expiry date is not checked; its signatures are)"
  apt-get -q update >"$folder/apt/update.log" 2>&1 || { tail -5 "$folder/apt/update.log" >&2; die "apt-get update failed"; }
  for attempt in 1 2 3; do
    # shellcheck disable=SC2046
    if apt-get -q -y install --download-only --no-install-recommends $(choose_packages) >"$folder/apt/download.log" 2>&1; then
      unset APT_CONFIG
      return
    fi
    say "download attempt $attempt failed; what has arrived is kept"
  done
  tail -5 "$folder/apt/download.log" >&2
  die "the packages could not be downloaded; run the command again to resume"
}

unpack_packages() {
  local folder=$1 root=$2 deb link
  mkdir -p "$root/usr/bin" "$root/usr/sbin" "$root/usr/lib" "$root/usr/lib64"
  for link in bin sbin lib lib64; do ln -s "usr/$link" "$root/$link"; done
  for deb in "$folder"/apt/cache/archives/*.deb; do
    dpkg-deb --fsys-tarfile "$deb" |
      tar -x --no-same-owner --keep-directory-symlink -C "$root" || die "cannot unpack $deb: is the disk full?"
  done
  # What the packages' scripts would have linked; they are not run.
  while read -r link deb; do
    [[ -e $root/usr/bin/$link ]] || ln -s "$deb" "$root/usr/bin/$link"
  done <<'TEXT'
sh dash
awk mawk
c++ g++
cc gcc
clang clang-22
clang++ clang++-22
clang-tidy clang-tidy-22
clang-format clang-format-22
TEXT
  mkdir -p "$root"/{proc,dev,sys,tmp,etc,root,home,opt,usr/local}
  cp /etc/passwd /etc/group /etc/hosts "$root/etc/" 2>/dev/null || true
  (cd "$folder/apt/cache/archives" && for deb in *.deb; do dpkg-deb -f "$deb" Package Version | paste -sd' '; done) |
    sed 's/Package: //; s/Version: //' >"$root/etc/hk-dev-manifest"
}

# Prints the path of a finished root, making it first if needed. Safe against parallel runs and kills.
ensure_root() {
  local folder root tool
  folder=$(dev_root_folder)
  root=$folder/root-$(root_digest)
  if [[ -e $root/etc/hk-dev-manifest ]]; then
    printf '%s\n' "$root"
    return
  fi
  for tool in apt-get apt-cache dpkg-deb tar sha256sum flock unshare; do
    command -v "$tool" >/dev/null || die "$tool is missing: a Debian-like x86-64 machine is needed (or ROCm >= 6.4 with HK_DEV_NATIVE=1)"
  done
  mkdir -p "$folder" || die "cannot create $folder; set HK_DEV_ROOT to a folder on a disk with 3 GB free"
  exec {root_lock}>"$folder/lock"
  flock "$root_lock"
  if [[ ! -e $root/etc/hk-dev-manifest ]]; then
    rm --one-file-system -rf "$folder/root.tmp"
    download_packages "$folder" >&2
    say "unpacking into $root"
    unpack_packages "$folder" "$folder/root.tmp"
    enter_root "$folder/root.tmp" / /sbin/ldconfig || die "ldconfig failed in the new root"
    mv "$folder/root.tmp" "$root"
    rm --one-file-system -rf "$folder/apt/cache/archives"
    say "development root ready: $(du -sh "$root" | cut -f1)"
  fi
  exec {root_lock}>&-
  printf '%s\n' "$root"
}
