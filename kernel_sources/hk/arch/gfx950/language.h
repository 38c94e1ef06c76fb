#pragma once
// How this target spells what the language leaves to it: as gfx942. Two waves share a SIMD's 512 vector registers here
// too.

#include <hk/arch/gfx942/language.h>
