/* Taut's <time.h>. Time is not modelled. */
#ifndef __TAUT_TIME_H
#define __TAUT_TIME_H
#include <sys/types.h>
struct timespec { time_t tv_sec; long tv_nsec; };
struct tm { int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst; };
#define CLOCKS_PER_SEC 1000000
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
#define TIME_UTC 1
time_t time(time_t *result);
clock_t clock(void);
int clock_gettime(clockid_t clock, struct timespec *result);
int timespec_get(struct timespec *result, int base);
int nanosleep(const struct timespec *duration, struct timespec *rest);
#endif
