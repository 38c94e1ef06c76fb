# dev format: rewrites the sources in place.
cd "$checkout"
git ls-files -co --exclude-standard -- '*.h' '*.hpp' '*.cpp' '*.c' | dev_exec xargs clang-format -i
