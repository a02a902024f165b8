/* The header of GenMC's programs. */
#ifndef __TAUT_GENMC_H
#define __TAUT_GENMC_H
#include <verifier.h>
#endif
