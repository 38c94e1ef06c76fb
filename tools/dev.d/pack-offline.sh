# dev pack-offline FOLDER: what a machine without network needs besides g++, CMake, ninja and the GPU's own headers.
[[ $# == 1 ]] || die "usage: tools/dev pack-offline FOLDER"
mkdir -p "$1"
pack=$(cd "$1" && pwd -P)
if use_native; then
  includes=/usr/include
else
  dev_root=$(ensure_root)
  includes=$dev_root/usr/include
fi

rm -rf "$pack/include" "$pack/cmake" "$pack/source"
mkdir -p "$pack/include" "$pack/source"
for part in spdlog fmt doctest CLI nlohmann tl xxhash.h xxh3.h; do
  [[ -e $includes/$part ]] || die "$includes/$part is not there: install the package that has it (tools/dev info)"
  cp -RL "$includes/$part" "$pack/include/"
done

# package_file NAME TARGET [DEFINITION...]: a CMake package of one target that is nothing but headers.
package_file() {
  local name=$1 target=$2
  shift 2
  mkdir -p "$pack/cmake/$name"
  {
    echo "if(TARGET $target)"
    echo "  return()"
    echo "endif()"
    echo "add_library($target INTERFACE IMPORTED)"
    echo "set_target_properties($target PROPERTIES"
    echo '  INTERFACE_INCLUDE_DIRECTORIES "${CMAKE_CURRENT_LIST_DIR}/../../include"'
    echo "  INTERFACE_COMPILE_DEFINITIONS \"$(IFS=';'; echo "$*")\")"
  } >"$pack/cmake/$name/${name}Config.cmake"
}
package_file spdlog spdlog::spdlog_header_only SPDLOG_FMT_EXTERNAL
package_file fmt fmt::fmt-header-only FMT_HEADER_ONLY=1
package_file doctest doctest::doctest
package_file CLI11 CLI11::CLI11
package_file nlohmann_json nlohmann_json::nlohmann_json
package_file tl-expected tl::expected
package_file xxHash xxHash::xxhash XXH_INLINE_ALL

git -C "$checkout" archive HEAD | tar -x -C "$pack/source"
cat >"$pack/README" <<'TEXT'
hk and the headers it is built with, for a machine without network. In this folder:
  cmake -S source -B build -G Ninja -DCMAKE_PREFIX_PATH="$PWD/cmake" -DHK_BUILD_SIMULATOR=OFF
  ninja -C build
  HK_DEVICE=cuda:0 build/bin/hk info
TEXT
echo "$pack: $(du -sh "$pack" | cut -f1), commit $(git -C "$checkout" log -1 --format='%h %cs')"
