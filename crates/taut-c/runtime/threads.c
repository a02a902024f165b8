/* Threads: POSIX and C11. The number of a thread is its identifier. */

int pthread_create(unsigned long *thread, const struct __taut_attr *attr, void *(*start)(void *), void *arg) {
  /* The new thread finds its own identifier where it is stored. */
  __taut_atomic_begin();
  *thread = __taut_create(start, arg);
  __taut_atomic_end();
  return 0;
}

int pthread_join(unsigned long thread, void **result) {
  void *value = __taut_join(thread);
  if (result)
    *result = value;
  return 0;
}

int pthread_detach(unsigned long thread) { return 0; }
void pthread_exit(void *result) { __taut_exit_thread(result); }
unsigned long pthread_self(void) { return __taut_self(); }
int pthread_equal(unsigned long a, unsigned long b) { return a == b; }
int pthread_yield(void) { __taut_yield(); return 0; }
int sched_yield(void) { __taut_yield(); return 0; }

int pthread_attr_init(struct __taut_attr *attr) { return 0; }
int pthread_attr_destroy(struct __taut_attr *attr) { return 0; }
int pthread_attr_setdetachstate(struct __taut_attr *attr, int state) { return 0; }
int pthread_attr_setscope(struct __taut_attr *attr, int scope) { return 0; }
int pthread_attr_setstacksize(struct __taut_attr *attr, unsigned long size) { return 0; }

int thrd_create(unsigned long *thread, int (*start)(void *), void *arg) {
  __taut_atomic_begin();
  *thread = __taut_create((void *(*)(void *))start, arg);
  __taut_atomic_end();
  return 0;
}

int thrd_join(unsigned long thread, int *result) {
  void *value = __taut_join(thread);
  if (result)
    *result = (int)(long)value;
  return 0;
}

int thrd_detach(unsigned long thread) { return 0; }
void thrd_exit(int result) { __taut_exit_thread((void *)(long)result); }
unsigned long thrd_current(void) { return __taut_self(); }
int thrd_equal(unsigned long a, unsigned long b) { return a == b; }
void thrd_yield(void) { __taut_yield(); }

/* Thread-specific data. */
static unsigned __taut_keys;
static __taut_destroyer __taut_destroy[8];
static _Thread_local void *__taut_values[8];

/* Runs the destructors of the values that a thread leaves; again, four times at most, while they leave new ones. */
void __taut_at_thread_end(void) {
  int again = 1;
  int round;
  unsigned key;
  for (round = 0; again && round < 4; round = round + 1) {
    again = 0;
    for (key = 0; key < __taut_keys; key = key + 1) {
      void *value = __taut_values[key];
      __taut_destroyer destroy = __taut_destroy[key];
      if (value && destroy) {
        __taut_values[key] = 0;
        again = 1;
        destroy(value);
      }
    }
  }
}

int pthread_key_create(unsigned *key, void (*destructor)(void *)) {
  __taut_atomic_begin();
  unsigned next = __taut_keys;
  if (next < 8) {
    __taut_keys = next + 1;
    __taut_destroy[next] = destructor;
  }
  __taut_atomic_end();
  /* Named here, the function below is part of the program. */
  __taut_destructor(destructor, sizeof(&__taut_at_thread_end));
  if (next >= 8)
    return 11;
  *key = next;
  return 0;
}

int pthread_key_delete(unsigned key) { return 0; }
void *pthread_getspecific(unsigned key) { return __taut_values[key]; }
int pthread_setspecific(unsigned key, const void *value) {
  __taut_values[key] = (void *)value;
  return 0;
}

int tss_create(unsigned *key, void (*destructor)(void *)) { return pthread_key_create(key, destructor) ? 2 : 0; }
void tss_delete(unsigned key) {}
void *tss_get(unsigned key) { return __taut_values[key]; }
int tss_set(unsigned key, void *value) {
  __taut_values[key] = value;
  return 0;
}
