/* Runs a C program over and over, its threads on processors of their own, and counts what goes wrong.

   The program is another object file, compiled with names of its own for `main` and for the functions that start, join and
   end threads and processes. A round is one call of its `main`. Rounds run one after the other in a process, the worker;
   before each, the program's variables get their first values again. Where a round ends in any other way than by
   returning from `main`, the worker ends, and another takes its place. What is counted is in memory that both share.

   A thread may start at any time after it was created. So threads wait at a gate until the creator joins one, or until some
   time has passed: then they start together.

   Starting a thread takes much longer than the window in which a store waits in its buffer. So most workers have a pool of
   threads that last, each on a processor of its own, and a round takes about a microsecond. The first thread that the
   program creates runs in the call by which `main` joins a thread: `main` has nothing else to do then. Thread-local
   variables get their first values again, and each thread has an identity of its own. What a pool cannot do (keys with
   destructors, cancellation, recursive mutexes, a `main` that waits by other means than a join) is noticed, the round does
   not count, and all further workers start a thread for each thread. Every fourth worker does so anyway. */

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

enum {
  ROUNDS_PER_POOL = 2000,
  ROUNDS_PER_WORKER = 50,  /* of one that starts threads */
  LONG_SPIN = 20000,       /* pauses, about a millisecond: a time slice is for meeting the others */
  MOST_THREADS = 64,       /* of a round; further ones have no gate */
  MOST_EVENTS = 64,        /* different ones */
  LONGEST_TEXT = 200,
  LONGEST_ROUND = 1000,    /* milliseconds */
  READY_IN = 5000,         /* microseconds that the gate waits for threads that were created */
  MOST_AREAS = 8
};

enum kind { FAILED_ASSERTION, ABORTED, ERROR_REACHED, KILLED };
static const char *const kinds[] = { "assert", "abort", "error", "signal" };

struct event {
  enum kind kind;
  int line;
  char file[LONGEST_TEXT], text[LONGEST_TEXT];
  unsigned long count;
};

/* What the workers tell the process that counts. */
struct shared {
  volatile unsigned long started, finished, assumed, dropped;
  volatile int most_threads, lock, events_left_out, needs_threads;
  struct event events[MOST_EVENTS];
  int event_count;
};

/* A thread of the program. */
struct thread {
  void *(*start)(void *);
  int (*start_c11)(void *);
  void *argument, *result;
  int result_c11;
  unsigned int ticket;
  pthread_t id;
  volatile int has_begun, done, is_joined, is_detached;
  jmp_buf end;
};

struct area { char *start; char *kept; size_t size; };

/* What lasts from round to round. */
struct worker {
  uint64_t random;
  int is_pool;                            /* whether threads are those of a pool */
  unsigned int pool_size;
  volatile unsigned long jobs[MOST_THREADS]; /* the number of the round in which a thread of the pool has work */
  volatile unsigned long round;
  struct thread threads[MOST_THREADS], main;
};

/* Set before the variables are kept, and never changed: a round begins with these values again. */
static struct shared *shared;
static struct worker *worker;
static struct area areas[MOST_AREAS];
static int area_count, *cpus, cpu_count, report_to = 1;

/* Of a round: 0 when it begins. */
static volatile unsigned int created, ready, released, unlisted;
static volatile int gate_is_open;
static pthread_t main_thread;
static jmp_buf end_of_main;

/* The thread of the program that this thread is. */
static __thread struct thread *current;

extern int taut_run_main(int argc, char **argv, char **envp);

static unsigned int choose(unsigned int n) {
  uint64_t x = worker->random;
  x ^= x << 13;
  x ^= x >> 7;
  x ^= x << 17;
  worker->random = x;
  return (unsigned int)(x >> 33) % n;
}

static long microseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000L + now.tv_nsec / 1000;
}

static void pause_a_little(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#else
  sched_yield();
#endif
}

/* ---- what goes wrong ---------------------------------------------------------------------------------- */

static void lock_events(void) {
  while (__atomic_exchange_n(&shared->lock, 1, __ATOMIC_ACQUIRE)) sched_yield();
}

static void unlock_events(void) { __atomic_store_n(&shared->lock, 0, __ATOMIC_RELEASE); }

/* A text without what would end a field of a report. */
static void copy(char *to, const char *from) {
  size_t i = 0;
  for (; from && from[i] && i + 1 < LONGEST_TEXT; i++)
    to[i] = from[i] == '\t' || from[i] == '\n' || from[i] == '\r' ? ' ' : from[i];
  to[i] = 0;
}

static void count_event(enum kind kind, const char *text, const char *file, int line) {
  struct event wanted = { kind, line, "", "", 1 };
  int i = 0;
  copy(wanted.file, file);
  copy(wanted.text, text);
  lock_events();
  while (i < shared->event_count
      && (shared->events[i].kind != kind || shared->events[i].line != line
          || strcmp(shared->events[i].file, wanted.file) != 0
          || strcmp(shared->events[i].text, wanted.text) != 0)) i++;
  if (i < shared->event_count) shared->events[i].count++;
  else if (i < MOST_EVENTS) shared->events[shared->event_count++] = wanted;
  else shared->events_left_out++;
  unlock_events();
}

/* Ends the round with an event. Another thread may be at it, too; the first one counts. */
static void end_with(enum kind kind, const char *text, const char *file, int line) {
  static volatile int is_ending = 0;
  if (__atomic_exchange_n(&is_ending, 1, __ATOMIC_SEQ_CST)) for (;;) sched_yield();
  count_event(kind, text, file, line);
  _exit(0);
}

/* The functions of the C library behind `assert`. */
void __assert_fail(const char *text, const char *file, unsigned int line, const char *function);
void __assert_fail(const char *text, const char *file, unsigned int line, const char *function) {
  (void)function;
  end_with(FAILED_ASSERTION, text, file, (int)line);
  abort();
}

void taut_run_abort(void);
void taut_run_abort(void) {
  end_with(ABORTED, "abort()", "", 0);
  abort();
}

void taut_run_exit(int code);
void taut_run_exit(int code) {
  (void)code;
  shared->finished++;
  _exit(0);
}

#define WEAK __attribute__((weak))
void reach_error(void);
WEAK void reach_error(void) { end_with(ERROR_REACHED, "reach_error()", "", 0); }
void __VERIFIER_error(void);
WEAK void __VERIFIER_error(void) { end_with(ERROR_REACHED, "__VERIFIER_error()", "", 0); }
void __VERIFIER_assert(int condition);
WEAK void __VERIFIER_assert(int condition) {
  if (!condition) end_with(ERROR_REACHED, "__VERIFIER_assert", "", 0);
}
void __VERIFIER_assume(int condition);
WEAK void __VERIFIER_assume(int condition) {
  if (condition) return;
  shared->assumed++;
  _exit(0);
}
#define NONDET(name, type) \
  type __VERIFIER_nondet_##name(void); \
  WEAK type __VERIFIER_nondet_##name(void) { return (type)choose(2); }
NONDET(bool, _Bool)
NONDET(int, int)
NONDET(uint, unsigned int)
NONDET(long, long)
NONDET(ulong, unsigned long)
NONDET(char, char)
NONDET(uchar, unsigned char)
NONDET(short, short)
NONDET(ushort, unsigned short)

/* ---- threads ------------------------------------------------------------------------------------------ */

static void pin(unsigned int ticket) {
  cpu_set_t set;
  if (cpu_count == 0) return;
  CPU_ZERO(&set);
  CPU_SET((size_t)cpus[(ticket + shared->started / 1000) % (unsigned int)cpu_count], &set);
  (void)pthread_setaffinity_np(pthread_self(), sizeof set, &set);
}

/* Something that a pool cannot do: the round does not count, and all others have threads of their own. */
static void needs_threads(void) {
  if (!worker->is_pool) return;
  shared->needs_threads = 1;
  shared->dropped++;
  _exit(0);
}

static void wait_at_gate(struct thread *me) {
  long latest = 0;
  unsigned int spins = 0;
  __atomic_fetch_add(&ready, 1, __ATOMIC_SEQ_CST);
  while (released <= me->ticket && !gate_is_open) {
    if (++spins % 256 != 0) { pause_a_little(); continue; }
    if (created > (unsigned int)cpu_count) sched_yield();
    if (latest == 0) latest = microseconds() + READY_IN;
    if (microseconds() > latest) break;
  }
}

/* Lets the threads start that were created so far, as soon as they are there. */
static void open_gate(void) {
  long latest = 0;
  unsigned int spins = 0;
  if (released >= created) return;
  while (ready < created) {
    int is_pool = worker->is_pool && created <= (unsigned int)cpu_count;
    if (is_pool && ++spins % LONG_SPIN != 0) { pause_a_little(); continue; }
    sched_yield();
    if (latest == 0) latest = microseconds() + READY_IN;
    if (microseconds() > latest) break;
  }
  released = created;
}

static void ends(void *argument) {
  (void)__atomic_exchange_n(&((struct thread *)argument)->done, 1, __ATOMIC_SEQ_CST);
}

static void run(struct thread *me) {
  if (me->start_c11) me->result_c11 = me->start_c11(me->argument);
  else me->result = me->start(me->argument);
}

/* A thread of the system for a thread of the program. */
static void *run_thread(void *argument) {
  struct thread *me = argument;
  pin(me->ticket);
  current = me;
  wait_at_gate(me);
  pthread_cleanup_push(ends, me);
  run(me);
  pthread_cleanup_pop(1);
  return me->result;
}

/* The thread-local variables of this thread, and their first values. */
struct locals { char *start; const char *first; size_t given, size; };

static int find_locals(struct dl_phdr_info *info, size_t size, void *argument) {
  struct locals *locals = argument;
  (void)size;
  for (int i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_TLS) {
      locals->start = info->dlpi_tls_data;
      locals->first = (const char *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
      locals->given = info->dlpi_phdr[i].p_filesz;
      locals->size = info->dlpi_phdr[i].p_memsz;
    }
  return 1; /* the first one is the executable */
}

static void reset_locals(const struct locals *locals) {
  if (!locals->start) return;
  memcpy(locals->start, locals->first, locals->given);
  memset(locals->start + locals->given, 0, locals->size - locals->given);
}

/* Runs a thread of the program on a thread of the pool. */
static void run_in_pool(struct thread *me, const struct locals *locals) {
  reset_locals(locals);
  current = me;
  errno = 0;
  if (setjmp(me->end) == 0) run(me);
  ends(me);
}

/* A thread of the pool: has work in a round if the round says so. */
static void *pool_thread(void *argument) {
  unsigned int ticket = (unsigned int)(uintptr_t)argument;
  struct locals locals = { 0, 0, 0, 0 };
  unsigned long last = 0;
  unsigned int spins = 0;
  dl_iterate_phdr(find_locals, &locals);
  pin(ticket);
  for (;;) {
    unsigned long job = worker->jobs[ticket];
    if (job != last) {
      last = job;
      spins = 0;
      wait_at_gate(&worker->threads[ticket]);
      run_in_pool(&worker->threads[ticket], &locals);
    } else if (++spins < LONG_SPIN && worker->pool_size < (unsigned int)cpu_count) {
      pause_a_little();
    } else {
      sched_yield();
    }
  }
  return 0;
}

/* The first thread of a round runs while `main` waits. It is the last to be let off, and the first to run. */
static void run_first(void) {
  struct thread *first = &worker->threads[0];
  struct thread *caller = current;
  struct locals locals = { 0, 0, 0, 0 };
  char kept[4096];
  if (!worker->is_pool || created == 0 || first->has_begun || first->is_joined) return;
  first->has_begun = 1;
  dl_iterate_phdr(find_locals, &locals);
  if (locals.size > sizeof kept) needs_threads();
  if (locals.start) memcpy(kept, locals.start, locals.size);
  __atomic_fetch_add(&ready, 1, __ATOMIC_SEQ_CST);
  open_gate();
  for (unsigned int i = choose(4) * choose(60); i > 0; i--) __atomic_signal_fence(__ATOMIC_SEQ_CST);
  run_in_pool(first, &locals);
  if (locals.start) memcpy(locals.start, kept, locals.size);
  current = caller;
}

/* A place for a new thread; none if there are too many. */
static struct thread *new_thread(void *argument) {
  unsigned int ticket = __atomic_fetch_add(&created, 1, __ATOMIC_SEQ_CST);
  struct thread *thread = &worker->threads[ticket];
  if (ticket >= MOST_THREADS) { needs_threads(); unlisted = 1; return 0; }
  memset(thread, 0, sizeof *thread);
  thread->argument = argument;
  thread->ticket = ticket;
  return thread;
}

/* A thread that was not started after all. */
static void forget(struct thread *thread) {
  thread->done = thread->is_joined = 1;
  __atomic_fetch_add(&ready, 1, __ATOMIC_SEQ_CST);
}

/* Starts a thread on the pool, which gets the threads of the system that it lacks. */
static int start_in_pool(struct thread *thread, pthread_t *id) {
  thread->id = (pthread_t)(uintptr_t)thread;
  *id = thread->id;
  if (thread->ticket == 0) {
    if (!pthread_equal(pthread_self(), main_thread)) needs_threads();
    return 0;
  }
  while (worker->pool_size < thread->ticket) {
    pthread_t system;
    unsigned int next = worker->pool_size + 1;
    if (pthread_create(&system, 0, pool_thread, (void *)(uintptr_t)next) != 0) needs_threads();
    worker->pool_size = next;
  }
  __atomic_store_n(&worker->jobs[thread->ticket], worker->round, __ATOMIC_SEQ_CST);
  return 0;
}

static struct thread *find(pthread_t id) {
  for (unsigned int i = 0; i < created && i < MOST_THREADS; i++)
    if (!worker->threads[i].is_joined && worker->threads[i].id == id) return &worker->threads[i];
  return 0;
}

/* Waits for the end of a thread of the pool. */
static int join_in_pool(pthread_t id, struct thread **joined) {
  struct thread *thread = find(id);
  unsigned int spins = 0;
  if (!thread) return ESRCH;
  if (pthread_equal(pthread_self(), main_thread)) run_first();
  open_gate();
  while (!thread->done)
    if (++spins < LONG_SPIN && created <= (unsigned int)cpu_count) pause_a_little(); else sched_yield();
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  thread->is_joined = 1;
  *joined = thread;
  return 0;
}

int taut_run_create(pthread_t *id, const pthread_attr_t *attributes, void *(*start)(void *), void *argument);
int taut_run_create(pthread_t *id, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
  struct thread *thread = new_thread(argument);
  int error = 0, state = PTHREAD_CREATE_JOINABLE;
  if (!thread) return pthread_create(id, attributes, start, argument);
  if (attributes) (void)pthread_attr_getdetachstate(attributes, &state);
  thread->start = start;
  thread->is_detached = state == PTHREAD_CREATE_DETACHED;
  if (worker->is_pool) return start_in_pool(thread, id);
  error = pthread_create(&thread->id, attributes, run_thread, thread);
  if (error) forget(thread); else *id = thread->id;
  return error;
}

int taut_run_join(pthread_t id, void **result);
int taut_run_join(pthread_t id, void **result) {
  struct thread *thread = 0;
  int error = 0;
  if (worker->is_pool) {
    error = join_in_pool(id, &thread);
    if (!error && result) *result = thread->result;
    return error;
  }
  thread = find(id);
  open_gate();
  error = pthread_join(id, result);
  if (thread && !error) thread->is_joined = 1;
  return error;
}

/* The thread is joined when the round ends, before its variables change. */
int taut_run_detach(pthread_t id);
int taut_run_detach(pthread_t id) { return find(id) ? 0 : ESRCH; }

pthread_t taut_run_self(void);
pthread_t taut_run_self(void) { return worker->is_pool ? current->id : pthread_self(); }

void taut_run_exit_thread(void *result);
void taut_run_exit_thread(void *result) {
  if (current == &worker->main) longjmp(end_of_main, 1);
  if (!worker->is_pool) pthread_exit(result);
  current->result = result;
  longjmp(current->end, 1);
}

int taut_run_thrd_create(thrd_t *id, thrd_start_t start, void *argument);
int taut_run_thrd_create(thrd_t *id, thrd_start_t start, void *argument) {
  struct thread *thread = new_thread(argument);
  if (!thread) return thrd_create(id, start, argument);
  thread->start_c11 = start;
  if (worker->is_pool) return start_in_pool(thread, id) ? thrd_error : thrd_success;
  if (pthread_create(&thread->id, 0, run_thread, thread)) {
    forget(thread);
    return thrd_error;
  }
  *id = thread->id;
  return thrd_success;
}

int taut_run_thrd_join(thrd_t id, int *result);
int taut_run_thrd_join(thrd_t id, int *result) {
  struct thread *thread = find(id);
  if (taut_run_join(id, 0) != 0 || !thread) return thrd_error;
  if (result) *result = thread->result_c11;
  return thrd_success;
}

int taut_run_thrd_detach(thrd_t id);
int taut_run_thrd_detach(thrd_t id) { return find(id) ? thrd_success : thrd_error; }

void taut_run_thrd_exit(int result);
void taut_run_thrd_exit(int result) {
  current->result_c11 = result;
  taut_run_exit_thread(0);
}

/* What a pool cannot do. */
int taut_run_key_create(pthread_key_t *key, void (*destroy)(void *));
int taut_run_key_create(pthread_key_t *key, void (*destroy)(void *)) {
  needs_threads();
  return pthread_key_create(key, destroy);
}
int taut_run_tss_create(tss_t *key, tss_dtor_t destroy);
int taut_run_tss_create(tss_t *key, tss_dtor_t destroy) {
  needs_threads();
  return tss_create(key, destroy);
}
int taut_run_cancel(pthread_t id);
int taut_run_cancel(pthread_t id) {
  needs_threads();
  return pthread_cancel(id);
}
int taut_run_kill(pthread_t id, int number);
int taut_run_kill(pthread_t id, int number) {
  needs_threads();
  return pthread_kill(id, number);
}
int taut_run_mutexattr_settype(pthread_mutexattr_t *attributes, int kind);
int taut_run_mutexattr_settype(pthread_mutexattr_t *attributes, int kind) {
  needs_threads();
  return pthread_mutexattr_settype(attributes, kind);
}
int taut_run_mtx_init(mtx_t *mutex, int kind);
int taut_run_mtx_init(mtx_t *mutex, int kind) {
  if (kind != mtx_plain) needs_threads();
  return mtx_init(mutex, kind);
}
int taut_run_wrlock(pthread_rwlock_t *lock);
int taut_run_wrlock(pthread_rwlock_t *lock) {
  needs_threads();
  return pthread_rwlock_wrlock(lock);
}

/* ---- rounds ------------------------------------------------------------------------------------------- */

/* The variables of the executable that can be written. What is protected after relocation is left out. */
static int find_areas(struct dl_phdr_info *info, size_t size, void *unused) {
  uintptr_t fixed_from = 0, fixed_to = 0;
  (void)size;
  (void)unused;
  for (int i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_GNU_RELRO) {
      uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
      fixed_from = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
      fixed_to = (fixed_from + info->dlpi_phdr[i].p_memsz + page - 1) / page * page;
    }
  for (int i = 0; i < info->dlpi_phnum && area_count < MOST_AREAS; i++) {
    uintptr_t from = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
    uintptr_t to = from + info->dlpi_phdr[i].p_memsz;
    if (info->dlpi_phdr[i].p_type != PT_LOAD || !(info->dlpi_phdr[i].p_flags & PF_W)) continue;
    if (fixed_from <= from && from < fixed_to) from = fixed_to;
    if (from >= to) continue;
    areas[area_count].start = (char *)from;
    areas[area_count].size = to - from;
    areas[area_count++].kept = malloc(to - from);
  }
  return 1; /* the first one is the executable */
}

static void keep_variables(void) {
  dl_iterate_phdr(find_areas, 0);
  for (int i = 0; i < area_count; i++) memcpy(areas[i].kept, areas[i].start, areas[i].size);
}

static void restore_variables(void) {
  for (int i = 0; i < area_count; i++) memcpy(areas[i].start, areas[i].kept, areas[i].size);
}

/* Whether all threads of the round have come to their end; those that have are joined. */
static int join_all(void) {
  for (unsigned int i = 0; i < created && i < MOST_THREADS; i++)
    if (!worker->threads[i].done) return 0;
  for (unsigned int i = 0; i < created && i < MOST_THREADS && !worker->is_pool; i++)
    if (!worker->threads[i].is_joined && !worker->threads[i].is_detached)
      (void)pthread_join(worker->threads[i].id, 0);
  return !unlisted;
}

/* One call of the program's `main`. Whether the worker can go on after it. */
static int round_of_program(void) {
  static char name[] = "program";
  static char *arguments[] = { name, 0 }, *environment[] = { 0 };
  main_thread = pthread_self();
  worker->main.id = worker->is_pool ? (pthread_t)(uintptr_t)&worker->main : main_thread;
  current = &worker->main;
  /* A creator that does not wait meets its threads only in rounds without a gate. */
  gate_is_open = choose(4) == 0;
  if (setjmp(end_of_main) == 0) {
    (void)taut_run_main(1, arguments, environment);
  } else {
    /* `main` has ended its thread; the others go on. */
    run_first();
    open_gate();
    for (unsigned int i = 0; i < created && i < MOST_THREADS; i++)
      while (!worker->threads[i].done) sched_yield();
  }
  if ((int)created > shared->most_threads) shared->most_threads = (int)created;
  return join_all();
}

static void work(void) {
  struct rlimit limit = { (rlim_t)4 << 30, (rlim_t)4 << 30 };
  struct locals locals = { 0, 0, 0, 0 };
  unsigned long rounds = worker->is_pool ? ROUNDS_PER_POOL : ROUNDS_PER_WORKER;
  (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
  (void)setrlimit(RLIMIT_AS, &limit);
  dl_iterate_phdr(find_locals, &locals);
  pin(0);
  for (worker->round = 1; worker->round <= rounds; worker->round++) {
    int can_go_on = 0;
    restore_variables();
    reset_locals(&locals);
    shared->started++;
    can_go_on = round_of_program();
    shared->finished++;
    if (!can_go_on) break;
  }
  _exit(0);
}

/* Waits for a worker; whether it came to an end by itself. */
static int supervise(pid_t process, long deadline) {
  sigset_t children;
  struct timespec tick = { 0, 20000000 };
  unsigned long seen = shared->started;
  long since = microseconds();
  sigemptyset(&children);
  sigaddset(&children, SIGCHLD);
  for (;;) {
    int status = 0;
    if (waitpid(process, &status, WNOHANG) == process) {
      char name[32];
      if (!WIFSIGNALED(status)) return 1;
      snprintf(name, sizeof name, "%d", WTERMSIG(status));
      count_event(KILLED, name, "", 0);
      return 1;
    }
    if (shared->started != seen) {
      seen = shared->started;
      since = microseconds();
    }
    if (microseconds() >= deadline || microseconds() - since > LONGEST_ROUND * 1000L) {
      kill(process, SIGKILL);
      waitpid(process, &status, 0);
      return 0;
    }
    (void)sigtimedwait(&children, 0, &tick);
  }
}

static void find_cpus(void) {
  cpu_set_t set;
  cpus = calloc(CPU_SETSIZE, sizeof *cpus);
  if (!cpus || sched_getaffinity(0, sizeof set, &set) != 0) return;
  for (int i = 0; i < CPU_SETSIZE; i++)
    if (CPU_ISSET((size_t)i, &set)) cpus[cpu_count++] = i;
}

static void report(unsigned long stuck) {
  FILE *out = fdopen(report_to, "w");
  if (!out) return;
  fprintf(out, "taut-run 1\ncpus %d\nthreads %d\n", cpu_count, shared->most_threads);
  fprintf(out, "rounds %lu\nfinished %lu\ncut %lu\n", shared->started - shared->dropped, shared->finished, stuck);
  fprintf(out, "assumed %lu\n", shared->assumed);
  for (int i = 0; i < shared->event_count; i++) {
    struct event *event = &shared->events[i];
    fprintf(out, "event\t%lu\t%s\t%d\t%s\t%s\n", event->count, kinds[event->kind], event->line, event->file,
            event->text);
  }
  if (shared->events_left_out) fprintf(out, "left-out %d\n", shared->events_left_out);
  fprintf(out, "end\n");
  fclose(out);
}

/* The arguments: milliseconds, and a seed for random numbers. */
int main(int argc, char **argv) {
  long milliseconds = argc > 1 ? strtol(argv[1], 0, 10) : 1000;
  long deadline = microseconds() + milliseconds * 1000L;
  unsigned long stuck = 0;
  struct rlimit none = { 0, 0 };
  sigset_t children;
  int nowhere = open("/dev/null", O_RDWR);
  (void)setrlimit(RLIMIT_CORE, &none);
  (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
  alarm((unsigned int)(milliseconds / 1000 + 20));
  report_to = dup(1);
  if (nowhere < 0 || report_to < 0 || fcntl(report_to, F_SETFD, FD_CLOEXEC) < 0) return 4;
  dup2(nowhere, 0);
  dup2(nowhere, 1);
  dup2(nowhere, 2);
  find_cpus();
  shared = mmap(0, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  worker = mmap(0, sizeof *worker, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED || worker == MAP_FAILED) return 4;
  keep_variables();
  sigemptyset(&children);
  sigaddset(&children, SIGCHLD);
  sigprocmask(SIG_BLOCK, &children, 0);
  for (uint64_t n = 1; microseconds() < deadline; n++) {
    unsigned long before = shared->started;
    pid_t process = fork();
    if (process < 0) return 4;
    if (process == 0) {
      worker->random = ((argc > 2 ? strtoull(argv[2], 0, 10) : 1) + n) * 0x9E3779B97F4A7C15ULL | 1;
      worker->is_pool = !shared->needs_threads && n % 4 != 0;
      sigprocmask(SIG_UNBLOCK, &children, 0);
      work();
    }
    /* The round that the end of the time cuts is not stuck, and neither is one that a pool may be to blame for. */
    if (!supervise(process, deadline) && microseconds() < deadline) {
      if (!shared->needs_threads && n % 4 != 0) {
        shared->needs_threads = 1;
        shared->dropped++;
      } else {
        stuck++;
      }
    }
    if (shared->lock) shared->lock = 0;
    /* A worker that could not even begin a round, and not because the time was over. */
    if (shared->started == before && microseconds() < deadline) return 4;
  }
  report(stuck);
  return 0;
}
