/* Taut's <stdnoreturn.h>. */
#ifndef __TAUT_STDNORETURN_H
#define __TAUT_STDNORETURN_H
#define noreturn _Noreturn
#endif
