/* Taut's <emmintrin.h>: fences and `pause`. */
#ifndef __TAUT_EMMINTRIN_H
#define __TAUT_EMMINTRIN_H
void _mm_mfence(void);
void _mm_sfence(void);
void _mm_lfence(void);
void _mm_pause(void);
#endif
