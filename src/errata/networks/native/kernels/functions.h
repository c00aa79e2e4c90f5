/* exp and GELU of eight numbers at once; include between KERNELS_BEGIN and KERNELS_END. */

#ifndef ERRATA_FUNCTIONS_H
#define ERRATA_FUNCTIONS_H

#include "target.h"

INLINE float sum8(__m256 v) {
    __m128 s = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
    s = _mm_add_ps(s, _mm_movehl_ps(s, s));
    return _mm_cvtss_f32(_mm_add_ss(s, _mm_movehdup_ps(s)));
}

INLINE float max8(__m256 v) {
    __m128 s = _mm_max_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
    s = _mm_max_ps(s, _mm_movehl_ps(s, s));
    return _mm_cvtss_f32(_mm_max_ss(s, _mm_movehdup_ps(s)));
}

/* e to the x, with a relative error of at most 2e-7; below -87 it is about 1e-38. */
INLINE __m256 exp8(__m256 x) {
    x = _mm256_min_ps(_mm256_max_ps(x, _mm256_set1_ps(-87.0f)), _mm256_set1_ps(88.0f));
    __m256 n = _mm256_round_ps(_mm256_mul_ps(x, _mm256_set1_ps(1.44269504f)), _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    __m256 r = _mm256_fnmadd_ps(n, _mm256_set1_ps(0.693359375f), x);
    r = _mm256_fnmadd_ps(n, _mm256_set1_ps(-2.12194440e-4f), r);
    __m256 p = _mm256_set1_ps(1.0f / 720);
    p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(1.0f / 120));
    p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(1.0f / 24));
    p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(1.0f / 6));
    p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(0.5f));
    p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(1.0f));
    p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(1.0f));
    __m256i power = _mm256_slli_epi32(_mm256_add_epi32(_mm256_cvtps_epi32(n), _mm256_set1_epi32(127)), 23);
    return _mm256_mul_ps(p, _mm256_castsi256_ps(power));
}

/* GELU: x times the normal distribution at x. The distribution minus a half is x times a polynomial of x squared. It was
   fitted to GELU on [-4.6, 4.6] (largest error 2.6e-6) and is constant beyond, so GELU(-12) is -2e-5. */
INLINE __m256 gelu8(__m256 x) {
    __m256 v = _mm256_min_ps(_mm256_max_ps(x, _mm256_set1_ps(-4.6f)), _mm256_set1_ps(4.6f));
    __m256 u = _mm256_fmadd_ps(_mm256_mul_ps(v, v), _mm256_set1_ps(2.0f / (4.6f * 4.6f)), _mm256_set1_ps(-1.0f));
    __m256 p = _mm256_set1_ps(8.786381735e-04f);
    p = _mm256_fmadd_ps(p, u, _mm256_set1_ps(-2.700950897e-03f));
    p = _mm256_fmadd_ps(p, u, _mm256_set1_ps(3.974231438e-03f));
    p = _mm256_fmadd_ps(p, u, _mm256_set1_ps(-6.271140291e-03f));
    p = _mm256_fmadd_ps(p, u, _mm256_set1_ps(1.196877215e-02f));
    p = _mm256_fmadd_ps(p, u, _mm256_set1_ps(-1.996190811e-02f));
    p = _mm256_fmadd_ps(p, u, _mm256_set1_ps(2.929110146e-02f));
    p = _mm256_fmadd_ps(p, u, _mm256_set1_ps(-4.041322010e-02f));
    p = _mm256_fmadd_ps(p, u, _mm256_set1_ps(5.415344892e-02f));
    p = _mm256_fmadd_ps(p, u, _mm256_set1_ps(-7.576699401e-02f));
    p = _mm256_fmadd_ps(p, u, _mm256_set1_ps(1.535433082e-01f));
    return _mm256_mul_ps(x, _mm256_fmadd_ps(v, p, _mm256_set1_ps(0.5f)));
}

#endif
