
/* ---- rounds -------------------------------------------------------------------------------------------
   Each thread runs its process once per round. A batch of rounds has its memory laid out anew: variables of a round
   in lines of the cache of their own and in a random order, or side by side in one. A barrier of the threads' own
   making starts each round; some batches add random delays. The first thread looks at the results between batches. */

enum { TAUT_LINE = 64, TAUT_STATES = 4096 };

static volatile unsigned long taut_arrived = 0;        /* arrivals at barriers, of all threads together */
static volatile unsigned char taut_go[TAUT_BATCH];     /* whether a round takes place; 0 ends the batch */
static volatile int taut_over = 0, taut_delays = 0, taut_shift = 0;
static unsigned char taut_ended[TAUT_PROCESSES][TAUT_BATCH];
static uint64_t taut_failed[TAUT_PROCESSES][TAUT_BATCH];
static char *taut_memory;
static unsigned int taut_order[TAUT_BATCH];
static int taut_cpus[1024], taut_cpu_count = 0;
static struct timespec taut_deadline;
static uint64_t taut_seed;

static struct { word value[TAUT_WATCHED]; unsigned long count; } taut_table[2 * TAUT_STATES];
static unsigned long taut_state_count, taut_others, taut_rounds, taut_finished, taut_cut;
static unsigned long taut_violations[64];

static void taut_pin(int number) {
  cpu_set_t set;
  if (taut_cpu_count == 0) return;
  CPU_ZERO(&set);
  CPU_SET((size_t)taut_cpus[(number + taut_shift) % taut_cpu_count], &set);
  (void)pthread_setaffinity_np(pthread_self(), sizeof set, &set);
}

static void taut_find_cpus(void) {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return;
  for (int i = 0; i < 1024 && i < CPU_SETSIZE; i++)
    if (CPU_ISSET((size_t)i, &set)) taut_cpus[taut_cpu_count++] = i;
}

/* The n-th meeting of all threads. */
static void taut_meet(unsigned long *meetings) {
  unsigned int spins = 0;
  unsigned int patience = taut_cpu_count >= TAUT_PROCESSES ? TAUT_SPINS : 20;
  unsigned long wanted = ++*meetings * TAUT_PROCESSES;
  __atomic_fetch_add(&taut_arrived, 1, __ATOMIC_SEQ_CST);
  while (taut_arrived < wanted)
    if (++spins < patience) taut_pause(); else sched_yield();
}

static int taut_is_late(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec > taut_deadline.tv_sec
      || (now.tv_sec == taut_deadline.tv_sec && now.tv_nsec >= taut_deadline.tv_nsec);
}

/* Lays out the memory of a batch: a variable is so many lines from the beginning of its part. */
static void taut_lay_out(struct taut_thread *me) {
  int packed = taut_choose(me, 3) == 0;
  size_t start = 0, whole = 0;
  for (int v = 0; v < TAUT_VARIABLES; v++) whole += (size_t)taut_sizes[v] * sizeof(word);
  whole = (whole + TAUT_LINE - 1) / TAUT_LINE * TAUT_LINE;
  for (int v = 0; v < TAUT_VARIABLES; v++) {
    size_t bytes = (size_t)taut_sizes[v] * sizeof(word);
    size_t stride = packed ? whole : (bytes + TAUT_LINE - 1) / TAUT_LINE * TAUT_LINE;
    if (v == 0 || !packed)
      for (unsigned int i = TAUT_BATCH; i-- > 0;) {
        unsigned int j = taut_choose(me, i + 1), old = taut_order[i];
        taut_order[i] = taut_order[j];
        taut_order[j] = old;
      }
    for (unsigned int i = 0; i < TAUT_BATCH; i++)
      taut_at[v][i] = (cell *)(void *)(taut_memory + start + taut_order[i] * stride);
    start += packed ? bytes : stride * TAUT_BATCH;
  }
  for (unsigned int i = 0; i < TAUT_BATCH; i++) {
    memset(&taut_sides[i], 0, sizeof taut_sides[i]);
    taut_given_up[i] = 0;
    taut_begin(i);
  }
  taut_delays = (int)taut_choose(me, 3);
}

static void taut_count_state(const word *value) {
  uint64_t hash = 1469598103934665603ULL;
  for (int w = 0; w < TAUT_WATCHED_VALUES; w++) {
    hash = (hash ^ (uint64_t)value[w]) * 0x9E3779B97F4A7C15ULL;
    hash ^= hash >> 29;
  }
  for (size_t at = hash % (2 * TAUT_STATES);; at = (at + 1) % (2 * TAUT_STATES)) {
    if (taut_table[at].count == 0) {
      if (taut_state_count == TAUT_STATES) { taut_others++; return; }
      taut_state_count++;
      memcpy(taut_table[at].value, value, sizeof taut_table[at].value);
    } else if (memcmp(taut_table[at].value, value, TAUT_WATCHED_VALUES * sizeof(word)) != 0) {
      continue;
    }
    taut_table[at].count++;
    return;
  }
}

/* Looks at the results of a batch, in which so many rounds took place. */
static void taut_look_at(unsigned int rounds) {
  for (unsigned int i = 0; i < rounds; i++) {
    int finished = 1;
    uint64_t failed = 0;
    for (int p = 0; p < TAUT_PROCESSES; p++) {
      finished &= taut_ended[p][i];
      failed |= taut_failed[p][i];
    }
    taut_rounds++;
    if (finished) {
      word value[TAUT_WATCHED] = { 0 };
      taut_finished++;
      failed |= taut_final(i);
      taut_watch(i, value);
      taut_count_state(value);
    } else {
      taut_cut++;
    }
    for (int b = 0; b < 64; b++) taut_violations[b] += failed >> b & 1;
  }
}

static void *taut_thread_main(void *argument) {
  struct taut_thread me;
  unsigned long meetings = 0;
  unsigned int batch = 0, rounds = 0;
  memset(&me, 0, sizeof me);
  me.number = (int)(intptr_t)argument;
  me.random = (taut_seed + (uint64_t)me.number + 1) * 0x9E3779B97F4A7C15ULL | 1;
  taut_pin(me.number);
  for (;;) {
    if (me.number == 0) {
      taut_lay_out(&me);
      taut_shift = (int)(batch / 32);
    }
    taut_meet(&meetings);
    if (batch++ % 32 == 0) taut_pin(me.number);
    for (rounds = 0; rounds < TAUT_BATCH; rounds++) {
      if (me.number == 0) taut_go[rounds] = rounds % 16 != 0 || !taut_is_late();
      me.round = rounds;
      me.fuel = TAUT_FUEL;
      me.spins = me.yields = me.depth = 0;
      me.failed = 0;
      me.end = 0;
      me.side = &taut_sides[rounds];
      taut_meet(&meetings);
      if (!taut_go[rounds]) break;
      if (taut_delays) {
        unsigned int pauses = taut_choose(&me, taut_delays == 1 ? 8 : 100);
        for (unsigned int i = 0; i < pauses; i++) __atomic_signal_fence(__ATOMIC_SEQ_CST);
      }
      taut_ended[me.number][rounds] = (unsigned char)!taut_process(&me);
      taut_end[me.number][rounds] = me.end;
      taut_failed[me.number][rounds] = me.failed;
    }
    taut_meet(&meetings);
    if (me.number == 0) {
      taut_look_at(rounds);
      taut_over = rounds < TAUT_BATCH || taut_is_late();
    }
    taut_meet(&meetings);
    if (taut_over) return 0;
  }
}

static void taut_print(void) {
  printf("taut-run 1\ncpus %d\nthreads %d\n", taut_cpu_count, TAUT_PROCESSES);
  printf("rounds %lu\nfinished %lu\ncut %lu\n", taut_rounds, taut_finished, taut_cut);
  for (size_t at = 0; at < 2 * TAUT_STATES; at++) {
    if (taut_table[at].count == 0) continue;
    printf("state %lu", taut_table[at].count);
    for (int w = 0; w < TAUT_WATCHED_VALUES; w++) printf(" %lld", taut_table[at].value[w]);
    printf("\n");
  }
  if (taut_others) printf("others %lu\n", taut_others);
  for (int b = 0; b < 64; b++)
    if (taut_violations[b]) printf("violated %d %lu\n", b, taut_violations[b]);
  printf("end\n");
}

/* The arguments: milliseconds, and a seed for random numbers. */
int main(int argc, char **argv) {
  pthread_t threads[TAUT_PROCESSES];
  struct rlimit none = { 0, 0 };
  long milliseconds = argc > 1 ? strtol(argv[1], 0, 10) : 1000;
  size_t bytes = 0;
  taut_seed = argc > 2 ? strtoull(argv[2], 0, 10) : 1;
  (void)setrlimit(RLIMIT_CORE, &none);
  (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
  alarm((unsigned int)(milliseconds / 1000 + 20));
  taut_find_cpus();
  for (int v = 0; v < TAUT_VARIABLES; v++)
    bytes += ((size_t)taut_sizes[v] * sizeof(word) + TAUT_LINE) / TAUT_LINE * TAUT_LINE + TAUT_LINE;
  if (posix_memalign((void **)(void *)&taut_memory, 4096, bytes * TAUT_BATCH + 4096) != 0) return 4;
  memset(taut_memory, 0, bytes * TAUT_BATCH + 4096);
  for (unsigned int i = 0; i < TAUT_BATCH; i++) taut_order[i] = i;
  clock_gettime(CLOCK_MONOTONIC, &taut_deadline);
  taut_deadline.tv_sec += milliseconds / 1000;
  taut_deadline.tv_nsec += milliseconds % 1000 * 1000000;
  if (taut_deadline.tv_nsec >= 1000000000) {
    taut_deadline.tv_nsec -= 1000000000;
    taut_deadline.tv_sec++;
  }
  for (intptr_t t = 0; t < TAUT_PROCESSES; t++)
    if (pthread_create(&threads[t], 0, taut_thread_main, (void *)t) != 0) return 4;
  for (int t = 0; t < TAUT_PROCESSES; t++) pthread_join(threads[t], 0);
  taut_print();
  return 0;
}
