/* Taut's <sys/time.h>. Time is not modelled. */
#ifndef __TAUT_SYS_TIME_H
#define __TAUT_SYS_TIME_H
#include <sys/types.h>
struct timeval { time_t tv_sec; suseconds_t tv_usec; };
int gettimeofday(struct timeval *result, void *zone);
#endif
