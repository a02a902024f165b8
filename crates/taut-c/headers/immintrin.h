/* Taut's <immintrin.h>: fences and `pause`. */
#ifndef __TAUT_IMMINTRIN_H
#define __TAUT_IMMINTRIN_H
void _mm_mfence(void);
void _mm_sfence(void);
void _mm_lfence(void);
void _mm_pause(void);
#endif
