/* ---- what the program is written with ---------------------------------------------------------------
   A verifier for C gets this file with -D__VERIFIER and gives the __VERIFIER_ functions their meaning: what
   is nondeterministic may be anything, what is not assumed is not looked at, and what stands between
   __VERIFIER_atomic_begin and __VERIFIER_atomic_end happens at once. The question is whether reach_error can
   be called.

   Compiled as it is (cc -pthread), the file is a program that tries that out: it runs itself a number of
   times (the first argument, or 1000) with random choices, always the same ones, and ends with 1 if one of
   the runs called reach_error. A run ends where nothing can happen any more, and after so many steps (the second argument,
   or 5000). */

#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef __VERIFIER

extern void abort(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int condition) { if (!condition) abort(); }
void reach_error(void) { assert(0); }
#define TAUT_WAIT(again) __VERIFIER_assume(0)
#define TAUT_GO_ON ((void)0)
#define TAUT_ERROR(what) reach_error()
#define TAUT_LIVES(number) ((void)0)
#define TAUT_IS(number) ((void)0)
#define TAUT_ENDS(number) ((void)0)
#define TAUT_START ((void)0)
#define TAUT_JOIN ((void)0)

#else

#include <sys/wait.h>
#include <unistd.h>

/* One thread has the turn; who ends an atomic section hands it to any thread that lives. As nothing else
   happens, a run is decided by the random numbers alone. */
enum { TAUT_OVER = 0, TAUT_REACHED = 1 };

static pthread_mutex_t taut_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t taut_changed = PTHREAD_COND_INITIALIZER;
static unsigned long long taut_random;
static int taut_living[TAUT_PROCESSES];
static int taut_turn = -1; /* whose turn it is; -1 if nobody lives */
static __thread int taut_me;
static unsigned long taut_steps = 0;
static unsigned long taut_most_steps = 5000;
static unsigned long taut_waits = 0; /* how often threads have found nothing to do, one after the other */

static unsigned int __VERIFIER_nondet_uint(void) {
  taut_random = taut_random * 6364136223846793005ULL + 1442695040888963407ULL;
  return (unsigned int)(taut_random >> 33);
}

static void __VERIFIER_assume(int condition) {
  if (!condition) _exit(TAUT_OVER);
}

static void taut_hand_on(void) {
  unsigned int living = 0, chosen;
  int next = -1;
  for (int i = 0; i < TAUT_PROCESSES; i++) living += (unsigned int)taut_living[i];
  if (living > 0) {
    chosen = __VERIFIER_nondet_uint() % living;
    for (int i = 0; i < TAUT_PROCESSES && next < 0; i++)
      if (taut_living[i] && chosen-- == 0) next = i;
  }
  taut_turn = next;
  pthread_cond_broadcast(&taut_changed);
}

static void __VERIFIER_atomic_begin(void) {
  pthread_mutex_lock(&taut_lock);
  while (taut_turn != taut_me) pthread_cond_wait(&taut_changed, &taut_lock);
  if (++taut_steps > taut_most_steps) _exit(TAUT_OVER);
}

static void __VERIFIER_atomic_end(void) {
  taut_hand_on();
  pthread_mutex_unlock(&taut_lock);
}

static void reach_error(void) { _exit(TAUT_REACHED); }

static void taut_wait(void) {
  if (++taut_waits > 60 * TAUT_PROCESSES) _exit(TAUT_OVER);
  __VERIFIER_atomic_end();
}

static void taut_join(void) {
  pthread_mutex_lock(&taut_lock);
  while (taut_turn >= 0) pthread_cond_wait(&taut_changed, &taut_lock);
  pthread_mutex_unlock(&taut_lock);
}

#define TAUT_WAIT(again) do { taut_wait(); goto again; } while (0)
#define TAUT_GO_ON (taut_waits = 0)
#define TAUT_ERROR(what) do { fprintf(stderr, "%s\n", what); reach_error(); } while (0)
#define TAUT_LIVES(number) (taut_living[number] = 1)
#define TAUT_IS(number) (taut_me = (number))
#define TAUT_ENDS(number) (taut_living[number] = 0)
#define TAUT_START taut_hand_on()
#define TAUT_JOIN taut_join()

#endif

static int taut_fault = 0; /* something went wrong in an expression; only used in atomic sections */

