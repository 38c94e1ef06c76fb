# Entering the development environment: natively where ROCm is installed, else inside the development root.
# Sourced by tools/dev; needs messages.sh, root.sh and $checkout.

# A machine with ROCm >= 6.4 and the build tools needs no root. HK_DEV_NATIVE=0 or 1 decides instead.
use_native() {
  case ${HK_DEV_NATIVE:-} in
    0) return 1 ;;
    1) return 0 ;;
    "") ;;
    *) die "HK_DEV_NATIVE is '$HK_DEV_NATIVE'; accepted are 0 and 1" ;;
  esac
  local version tool
  version=$(cat /opt/rocm/.info/version 2>/dev/null || true)
  [[ -n $version ]] || return 1
  printf '6.4\n%s\n' "$version" | sort -V -C || return 1
  for tool in g++ cmake ninja pkg-config git python3; do command -v "$tool" >/dev/null || return 1; done
  for tool in spdlog libxxhash; do pkg-config --exists "$tool" || return 1; done
  [[ -e /usr/include/doctest/doctest.h && -e /usr/include/CLI/CLI.hpp && -e /usr/include/tl/expected.hpp ]]
}

# Runs inside the new mount namespace: binds the host's folders at the same paths, then becomes the command.
readonly k_enter_script='
set -e
root=$1; folder=$2; shift 2
while [ "$1" != -- ]; do
  if [ -d "$1" ]; then
    mkdir -p "$root$1"
    mount --rbind "$1" "$root$1"
  fi
  shift
done
shift
exec chroot "$root" /usr/bin/env --chdir="$folder" -- "$@"'

namespace_command() {
  if [[ $(id -u) == 0 ]] && unshare -m true 2>/dev/null; then
    echo "unshare -m"
  elif unshare -rm true 2>/dev/null; then
    echo "unshare -rm"
  elif command -v proot >/dev/null; then
    echo proot
  else
    local cause="this container's seccomp or capability settings"
    [[ $(cat /proc/sys/kernel/unprivileged_userns_clone 2>/dev/null) == 0 ]] && cause="kernel.unprivileged_userns_clone = 0"
    [[ $(cat /proc/sys/user/max_user_namespaces 2>/dev/null) == 0 ]] && cause="user.max_user_namespaces = 0"
    [[ $(cat /proc/sys/kernel/apparmor_restrict_unprivileged_userns 2>/dev/null) == 1 ]] &&
      cause="kernel.apparmor_restrict_unprivileged_userns = 1"
    die "namespaces are forbidden here ($cause): change that setting, run as root, or install proot"
  fi
}

# Folders that appear inside at the same path, parents before children.
bound_folders() {
  local folder
  {
    printf '%s\n' /proc /dev /sys /tmp /usr/local/cuda /opt/rocm "$checkout" "$PWD"
    if [[ -n ${HOME:-} && ${HOME:-} != / ]]; then printf '%s\n' "$HOME"; fi
    for folder in "${TMPDIR:-}" "${HK_CACHE_DIR:-}" "${XDG_CACHE_HOME:-}" "${XDG_RUNTIME_DIR:-}"; do
      if [[ -d $folder ]]; then (cd "$folder" && pwd -P); fi
    done
  } | sort -u | while read -r folder; do
    if [[ -d $folder && $folder == /* && $folder != / ]]; then printf '%s\n' "$folder"; fi
  done
}

# enter_root ROOT FOLDER COMMAND...: runs the command in the root; returns its status. With dev_become=1 this process
# becomes the command, so that signals reach it directly.
enter_root() {
  local root=$1 folder=$2 how
  shift 2
  how=$(namespace_command)
  local -a folders
  mapfile -t folders < <(bound_folders)
  local -a become=()
  [[ ${dev_become:-0} == 0 ]] || become=(exec)
  local -a clean=(env -u LD_LIBRARY_PATH -u LD_PRELOAD -u APT_CONFIG "PATH=$checkout/build/dev/bin:/usr/bin:/usr/sbin" LC_ALL=C.UTF-8)
  if [[ $how == proot ]]; then
    local -a binds=()
    local bound
    for bound in "${folders[@]}"; do binds+=(-b "$bound"); done
    "${become[@]}" "${clean[@]}" "$(command -v proot)" -r "$root" "${binds[@]}" -w "$folder" "$@"
  else
    # shellcheck disable=SC2086
    "${become[@]}" "${clean[@]}" $how /bin/sh -c "$k_enter_script" sh "$root" "$folder" "${folders[@]}" -- "$@"
  fi
}

# dev_exec COMMAND...: the command in the development environment, in the current folder.
dev_exec() {
  if use_native; then
    PATH="$checkout/build/dev/bin:$PATH" "$@"
  else
    local root
    root=$(ensure_root)
    enter_root "$root" "$PWD" "$@"
  fi
}
