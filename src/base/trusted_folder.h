#pragma once
// Trusted folders: those in which this user's processes may meet without anybody else having a hand in it.
//
// Whoever can write to such a folder can run code as its user (the cache) or hold its jobs up (lock files). So a folder
// is used only if it belongs to this user, nobody else can write to it, it is no symbolic link, and no folder above it
// could be swapped by others: each of them belongs to root or this user and is not writable by others, unless sticky as
// /tmp is.

#include <string>
#include <string_view>

#include "base/files.h"
#include "base/status.h"

namespace hk::base {

// The absolute path to use for a folder, without symbolic links, or INVALID_ARGUMENT with the reason. A folder that
// does not exist must be one that this user can make. Makes nothing. `what` names its purpose in messages: "cache
// folder".
Result<std::string> trusted_folder(const std::string& path, std::string_view what);

// Opens a folder, refused (EPERM) unless it is one of this user that nobody else can write to, and no symbolic link
// (ELOOP or ENOTDIR). The folders above it are trusted_folder's care.
FileResult<UniqueFd> open_own_folder(const std::string& path);

// The same, and makes the folder and those above it where they do not exist: mode 0700 whatever the umask. `made`, if
// not null, says whether the folder is new.
FileResult<UniqueFd> make_own_folder(const std::string& path, bool* made = nullptr);

// Opens parent/name, making it first if it does not exist: mode 0700 whatever the umask. `path` is for messages.
FileResult<UniqueFd> open_or_make_folder(int parent, const std::string& name, const std::string& path);

// Whether this process may put files into a folder; asks the system, not the mode bits.
bool writable_folder(const std::string& path);

} // namespace hk::base
