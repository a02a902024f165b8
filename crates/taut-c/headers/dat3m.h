/* The header of Dartagnan's programs. */
#ifndef __TAUT_DAT3M_H
#define __TAUT_DAT3M_H
#include <verifier.h>
#define await_while(condition) while (condition)
#endif
