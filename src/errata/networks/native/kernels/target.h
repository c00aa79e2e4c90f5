/* The kernels need x86-64 with AVX2 and FMA, which is checked at run time, and GCC or Clang.

   Files with intrinsics have KERNELS_BEGIN after their includes: what follows is compiled for these instructions,
   whatever the compiler's own target is. */

#ifndef ERRATA_TARGET_H
#define ERRATA_TARGET_H

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#define HAS_KERNELS 1
#include <immintrin.h>
#else
#define HAS_KERNELS 0
#endif

#if defined(__clang__)
#define KERNELS_BEGIN \
    _Pragma("clang attribute push(__attribute__((target(\"avx2,fma\"))), apply_to = function)")
#define KERNELS_END _Pragma("clang attribute pop")
#else
#define KERNELS_BEGIN _Pragma("GCC push_options") _Pragma("GCC target(\"avx2,fma\")")
#define KERNELS_END _Pragma("GCC pop_options")
#endif

#define INLINE static inline __attribute__((always_inline))

#endif
