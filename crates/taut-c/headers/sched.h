/* Taut's <sched.h>. */
#ifndef __TAUT_SCHED_H
#define __TAUT_SCHED_H
#include <time.h>
struct sched_param { int sched_priority; };
#define SCHED_OTHER 0
#define SCHED_FIFO 1
#define SCHED_RR 2
int sched_yield(void);
#endif
