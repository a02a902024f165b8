/* Ends of programs, errors, waiting, chance, and functions that verifiers have in common. */

void abort(void) { __taut_fail("abort()"); }
void exit(int status) { __taut_exit(); }
void _exit(int status) { __taut_exit(); }
void _Exit(int status) { __taut_exit(); }
void quick_exit(int status) { __taut_exit(); }

static _Thread_local int __taut_errno;
int *__errno_location(void) { return &__taut_errno; }

unsigned sleep(unsigned seconds) { __taut_yield(); return 0; }
int usleep(unsigned microseconds) { __taut_yield(); return 0; }
int nanosleep(const void *duration, void *rest) { __taut_yield(); return 0; }
int thrd_sleep(const void *duration, void *rest) { __taut_yield(); return 0; }

int abs(int x) { return x < 0 ? -x : x; }
long labs(long x) { return x < 0 ? -x : x; }
long long llabs(long long x) { return x < 0 ? -x : x; }
int rand(void) { return __taut_nondet(0, 2147483647); }
int rand_r(unsigned *seed) { return __taut_nondet(0, 2147483647); }
long random(void) { return __taut_nondet(0, 2147483647); }
void srand(unsigned seed) {}
void srandom(unsigned seed) {}

void reach_error(void) { __taut_fail("reach_error()"); }
void __VERIFIER_error(void) { __taut_fail("__VERIFIER_error()"); }
void __VERIFIER_assert(int condition) { __taut_assert(condition, "__VERIFIER_assert"); }
_Bool __VERIFIER_nondet_bool(void) { return __taut_choose(); }
char __VERIFIER_nondet_char(void) { return __taut_nondet(-128, 127); }
unsigned char __VERIFIER_nondet_uchar(void) { return __taut_nondet(0, 255); }
short __VERIFIER_nondet_short(void) { return __taut_nondet(-32768, 32767); }
unsigned short __VERIFIER_nondet_ushort(void) { return __taut_nondet(0, 65535); }
int __VERIFIER_nondet_int(void) { return __taut_nondet(-2147483647 - 1, 2147483647); }
unsigned int __VERIFIER_nondet_uint(void) { return __taut_nondet(0, 4294967295L); }
long __VERIFIER_nondet_long(void) { return __taut_nondet(-9223372036854775807L - 1, 9223372036854775807L); }
unsigned long __VERIFIER_nondet_ulong(void) { return __taut_nondet(-9223372036854775807L - 1, 9223372036854775807L); }
void __VERIFIER_loop_begin(void) {}
void __VERIFIER_loop_bound(int bound) {}
void __VERIFIER_spin_start(void) {}
void __VERIFIER_spin_end(int ends) {}
unsigned int __VERIFIER_tid(void) { return __taut_self(); }

/* Waits until a condition on an object holds, and exchanges it in the same step (nidhugg). The bits of a condition: 1 greater, 2 equal,
   4 less, 8 with a sign. */
int __VERIFIER_xchg_await_aint(int *object, int value, int condition, int with) {
  int old;
  __taut_when(((condition & 2) && *object == with) || ((condition & 5) == 5 && *object != with)
              || ((condition & 13) == 12 && *object < with) || ((condition & 13) == 9 && *object > with)
              || ((condition & 13) == 4 && (*object & 4294967295L) < (with & 4294967295L))
              || ((condition & 13) == 1 && (*object & 4294967295L) > (with & 4294967295L)));
  old = *object;
  *object = value;
  __taut_atomic_end();
  return old;
}

int __VERIFIER_load_await_aint(int *object, int condition, int with) {
  int old;
  __taut_when(((condition & 2) && *object == with) || ((condition & 5) == 5 && *object != with)
              || ((condition & 13) == 12 && *object < with) || ((condition & 13) == 9 && *object > with)
              || ((condition & 13) == 4 && (*object & 4294967295L) < (with & 4294967295L))
              || ((condition & 13) == 1 && (*object & 4294967295L) > (with & 4294967295L)));
  old = *object;
  __taut_atomic_end();
  return old;
}

/* Strings: one character is one access. */
unsigned long strlen(const char *text) {
  unsigned long i = 0;
  while (text[i])
    i = i + 1;
  return i;
}

char *strcpy(char *to, const char *from) {
  unsigned long i = 0;
  char c;
  do {
    c = from[i];
    to[i] = c;
    i = i + 1;
  } while (c);
  return to;
}

char *strncpy(char *to, const char *from, unsigned long size) {
  unsigned long i;
  char c = 1;
  for (i = 0; i < size; i = i + 1) {
    if (c)
      c = from[i];
    to[i] = c;
  }
  return to;
}

char *strcat(char *to, const char *from) {
  unsigned long at = 0;
  unsigned long i = 0;
  char c;
  while (to[at])
    at = at + 1;
  do {
    c = from[i];
    to[at + i] = c;
    i = i + 1;
  } while (c);
  return to;
}

int strcmp(const char *a, const char *b) {
  unsigned long i = 0;
  unsigned char x;
  unsigned char y;
  do {
    x = (unsigned char)a[i];
    y = (unsigned char)b[i];
    i = i + 1;
  } while (x && x == y);
  return x < y ? -1 : x > y;
}

int strncmp(const char *a, const char *b, unsigned long size) {
  unsigned long i = 0;
  unsigned char x = 1;
  unsigned char y = 1;
  while (i < size && x && x == y) {
    x = (unsigned char)a[i];
    y = (unsigned char)b[i];
    i = i + 1;
  }
  return x < y ? -1 : x > y;
}

char *strchr(const char *text, int value) {
  unsigned long i = 0;
  while (text[i] && text[i] != (char)value)
    i = i + 1;
  return text[i] == (char)value ? (char *)text + i : 0;
}
