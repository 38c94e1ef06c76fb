# dev tidy: clang-tidy over every translation unit of the project that the dev preset compiles.
dev_build dev
cd "$checkout"
git ls-files -- 'src/*.cpp' 'cache/*.cpp' 'tools/*.cpp' |
  dev_exec xargs -P "$(dev_jobs)" -n 4 clang-tidy --quiet -p build/dev
