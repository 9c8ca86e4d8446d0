// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Whether this is built with a sanitizer, as gcc and clang each say it.
#if defined(__SANITIZE_ADDRESS__)
#define AKO_ADDRESS_SANITIZER 1
#elif defined(__SANITIZE_THREAD__)
#define AKO_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define AKO_ADDRESS_SANITIZER 1
#elif __has_feature(thread_sanitizer)
#define AKO_THREAD_SANITIZER 1
#endif
#endif

#if defined(AKO_ADDRESS_SANITIZER) || defined(AKO_THREAD_SANITIZER)
#define AKO_SANITIZER 1
#endif
