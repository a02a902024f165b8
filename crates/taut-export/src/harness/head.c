/* ---- what the threads are written with --------------------------------------------------------------
   An access to shared memory is an access to a volatile object of 64 bits: the compiler keeps every one, in the
   order of the text, and the processor performs each at once. */

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

typedef long long word;
typedef volatile long long cell;

#define TAUT_FENCE __atomic_thread_fence(__ATOMIC_SEQ_CST)
#define TAUT_STORE_FENCE __atomic_thread_fence(__ATOMIC_RELEASE)

enum {
  TAUT_BATCH = 256,     /* rounds between two looks at the results */
  TAUT_FUEL = 400,      /* jumps back per process and round */
  TAUT_SPINS = 20000,   /* looks at a condition before the processor is given away */
  TAUT_YIELDS = 400,    /* times that it is given away before a round is ended */
  TAUT_FAULT_BIT = 63   /* the bit of a fault among the violations of a round */
};

/* What belongs to a round beside its memory: what only observers see. Accesses happen under the lock. */
struct taut_side {
  cell lock;
  cell pc[TAUT_PROCESSES];
  word ghost[TAUT_GHOSTS];
};

/* A thread, in one of its rounds. */
struct taut_thread {
  int number;
  unsigned int round;   /* within the batch */
  unsigned int fuel, spins, yields, depth;
  int end;              /* the program point at which the process has finished */
  uint64_t random;
  uint64_t failed;      /* the violations that it has seen, a bit each */
  struct taut_side *side;
};

static struct taut_side taut_sides[TAUT_BATCH];
static int taut_end[TAUT_PROCESSES][TAUT_BATCH];         /* where processes have finished */
static volatile unsigned char taut_given_up[TAUT_BATCH]; /* rounds that have no end */
static __thread int taut_fault = 0;                      /* something went wrong in an expression */

static inline void taut_pause(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#else
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
#endif
}

static inline unsigned int taut_choose(struct taut_thread *me, unsigned int n) {
  me->random ^= me->random << 13;
  me->random ^= me->random >> 7;
  me->random ^= me->random << 17;
  return (unsigned int)(me->random >> 33) % n;
}

/* Ends the round for all of its threads. */
static inline int taut_give_up(struct taut_thread *me) {
  taut_given_up[me->round] = 1;
  return 1;
}

/* A condition is false: waits a little. The result says whether the round is over. */
__attribute__((unused)) static int taut_wait(struct taut_thread *me) {
  if (taut_given_up[me->round]) return 1;
  if (++me->spins < TAUT_SPINS) {
    taut_pause();
    return 0;
  }
  if (++me->yields > TAUT_YIELDS) return taut_give_up(me);
  sched_yield();
  return 0;
}

__attribute__((unused)) static int taut_back(struct taut_thread *me) {
  if (taut_given_up[me->round]) return 1;
  return --me->fuel == 0 ? taut_give_up(me) : 0;
}

__attribute__((unused)) static int taut_faulted(struct taut_thread *me) {
  me->failed |= (uint64_t)1 << TAUT_FAULT_BIT;
  taut_fault = 0;
  return taut_give_up(me);
}

/* Both ends of an observer's section are full fences. */
__attribute__((unused)) static void taut_lock(struct taut_thread *me) {
  unsigned int spins = 0;
  while (__atomic_exchange_n(&me->side->lock, 1, __ATOMIC_SEQ_CST))
    if (++spins < TAUT_SPINS) taut_pause(); else sched_yield();
}

__attribute__((unused)) static void taut_unlock(struct taut_thread *me) {
  (void)__atomic_exchange_n(&me->side->lock, 0, __ATOMIC_SEQ_CST);
}

/* A process stays for a while where an observer can see it. */
__attribute__((unused)) static void taut_linger(struct taut_thread *me) {
  unsigned int pauses = taut_choose(me, 64);
  while (pauses-- > 0) taut_pause();
}

/* A program needs a part of this arithmetic. */
#pragma GCC diagnostic ignored "-Wunused-function"

