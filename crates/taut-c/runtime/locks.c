/* Mutexes, conditions, readers and writers, spin locks, barriers, once, semaphores.
   A section that __taut_when begins is one step, in which all stores of the thread reach memory.
   __taut_release and __taut_acquire say what is ordered after what, for the search for data races: a thread that
   acquires at a place comes after all threads that released there.
   The owner of a mutex is the number of a thread, plus 1. With ALIKE, for any number of threads, it is 1: a mutex knows that
   it is held, not by which thread. Where threads ask for their own mutex (KINDS, conditions), they stay different. */

#ifdef ALIKE
#define OWNER 1
#else
#define OWNER (__taut_self() + 1)
#endif

static int __taut_lock(struct __taut_mutex *mutex) {
#ifdef KINDS
  int me = __taut_self() + 1;
  __taut_when(mutex->owner == 0 || (mutex->kind != 0 && mutex->owner == me));
  if (mutex->owner == me) {
    int result = 35;
    if (mutex->kind == __TAUT_RECURSIVE) {
      mutex->count = mutex->count + 1;
      result = 0;
    }
    __taut_atomic_end();
    return result;
  }
#else
  int me = OWNER;
  __taut_when(mutex->owner == 0);
#endif
  mutex->owner = me;
  __taut_acquire(&mutex->owner);
  __taut_atomic_end();
  return 0;
}

/* Gives another result than 0 if the mutex is held, by this thread or another one. */
static int __taut_try(struct __taut_mutex *mutex, int busy) {
#ifdef KINDS
  int me = __taut_self() + 1;
#else
  int me = OWNER;
#endif
  int result = busy;
  __taut_when(1);
  if (mutex->owner == 0) {
    mutex->owner = me;
    __taut_acquire(&mutex->owner);
    result = 0;
  }
#ifdef KINDS
  else if (mutex->owner == me && mutex->kind == __TAUT_RECURSIVE) {
    mutex->count = mutex->count + 1;
    result = 0;
  }
#endif
  __taut_atomic_end();
  return result;
}

static int __taut_unlock(struct __taut_mutex *mutex) {
#ifdef KINDS
  int me = __taut_self() + 1;
#else
  int me = OWNER;
#endif
  __taut_when(1);
#ifdef KINDS
  if (mutex->owner != me && mutex->kind != 0) {
    __taut_atomic_end();
    return 1;
  }
  if (mutex->owner == me && mutex->count > 0) {
    mutex->count = mutex->count - 1;
    __taut_atomic_end();
    return 0;
  }
#endif
  if (mutex->owner != me)
    __taut_fail("a mutex is unlocked by a thread that does not hold it");
  mutex->owner = 0;
  __taut_release(&mutex->owner);
  __taut_atomic_end();
  return 0;
}

int pthread_mutex_init(struct __taut_mutex *mutex, const struct __taut_mutexattr *attr) {
  __taut_init(&mutex->owner, 0);
#ifdef KINDS
  __taut_init(&mutex->kind, attr ? attr->kind : 0);
  __taut_init(&mutex->count, 0);
#endif
  return 0;
}

int pthread_mutex_destroy(struct __taut_mutex *mutex) { return 0; }
int pthread_mutex_lock(struct __taut_mutex *mutex) { return __taut_lock(mutex); }
int pthread_mutex_trylock(struct __taut_mutex *mutex) { return __taut_try(mutex, 16); }
/* A thread that would wait may run late: to wait and then to give up is to give up. */
int pthread_mutex_timedlock(struct __taut_mutex *mutex, const void *time) { return __taut_try(mutex, 110); }
int pthread_mutex_unlock(struct __taut_mutex *mutex) { return __taut_unlock(mutex); }

int pthread_mutexattr_init(struct __taut_mutexattr *attr) { attr->kind = 0; return 0; }
int pthread_mutexattr_destroy(struct __taut_mutexattr *attr) { return 0; }
int pthread_mutexattr_settype(struct __taut_mutexattr *attr, int kind) { attr->kind = kind == 3 ? 0 : kind; return 0; }
int pthread_mutexattr_gettype(const struct __taut_mutexattr *attr, int *kind) { *kind = attr->kind; return 0; }
int pthread_mutexattr_setpshared(struct __taut_mutexattr *attr, int shared) { return 0; }

int mtx_init(struct __taut_mutex *mutex, int kind) {
  __taut_init(&mutex->owner, 0);
#ifdef KINDS
  __taut_init(&mutex->kind, kind & 1);
  __taut_init(&mutex->count, 0);
#endif
  return 0;
}

void mtx_destroy(struct __taut_mutex *mutex) {}
int mtx_lock(struct __taut_mutex *mutex) { return __taut_lock(mutex); }
int mtx_trylock(struct __taut_mutex *mutex) { return __taut_try(mutex, 1); }
int mtx_timedlock(struct __taut_mutex *mutex, const void *time) { return __taut_try(mutex, 4); }
int mtx_unlock(struct __taut_mutex *mutex) { return __taut_unlock(mutex); }

/* Releases the mutex and begins to wait, in one step. */
static void __taut_begin_wait(struct __taut_cond *cond, struct __taut_mutex *mutex) {
  int me = __taut_self();
  __taut_when(1);
  if (mutex->owner != me + 1)
    __taut_fail("a thread waits for a condition without holding the mutex");
  mutex->owner = 0;
  __taut_release(&mutex->owner);
  cond->waiting = cond->waiting | 1UL << me;
  __taut_atomic_end();
}

static int __taut_wait(struct __taut_cond *cond, struct __taut_mutex *mutex) {
  int me = __taut_self();
  __taut_begin_wait(cond, mutex);
  __taut_when((cond->waiting & 1UL << me) == 0 && mutex->owner == 0);
  mutex->owner = me + 1;
  __taut_acquire(&mutex->owner);
  __taut_atomic_end();
  return 0;
}

/* The time may be over at any moment. */
static int __taut_wait_late(struct __taut_cond *cond, struct __taut_mutex *mutex, int late) {
  int me = __taut_self();
  int result = 0;
  __taut_begin_wait(cond, mutex);
  __taut_when(mutex->owner == 0);
  mutex->owner = me + 1;
  __taut_acquire(&mutex->owner);
  if (cond->waiting & 1UL << me) {
    cond->waiting = cond->waiting & ~(1UL << me);
    result = late;
  }
  __taut_atomic_end();
  return result;
}

/* Wakes any one of the threads that wait now. */
static int __taut_signal(struct __taut_cond *cond) {
  __taut_when(1);
  unsigned long rest = cond->waiting;
  while (rest) {
    unsigned long one = rest & -rest;
    rest = rest & ~one;
    if (rest == 0 || __taut_choose()) {
      cond->waiting = cond->waiting & ~one;
      rest = 0;
    }
  }
  __taut_atomic_end();
  return 0;
}

static int __taut_broadcast(struct __taut_cond *cond) {
  __taut_when(1);
  cond->waiting = 0;
  __taut_atomic_end();
  return 0;
}

int pthread_cond_init(struct __taut_cond *cond, const struct __taut_attr *attr) { __taut_init(&cond->waiting, 0); return 0; }
int pthread_cond_destroy(struct __taut_cond *cond) { return 0; }
int pthread_cond_wait(struct __taut_cond *cond, struct __taut_mutex *mutex) { return __taut_wait(cond, mutex); }
int pthread_cond_timedwait(struct __taut_cond *cond, struct __taut_mutex *mutex, const void *time) { return __taut_wait_late(cond, mutex, 110); }
int pthread_cond_signal(struct __taut_cond *cond) { return __taut_signal(cond); }
int pthread_cond_broadcast(struct __taut_cond *cond) { return __taut_broadcast(cond); }
int pthread_condattr_init(struct __taut_attr *attr) { return 0; }
int pthread_condattr_destroy(struct __taut_attr *attr) { return 0; }
int pthread_condattr_setclock(struct __taut_attr *attr, int clock) { return 0; }
int cnd_init(struct __taut_cond *cond) { __taut_init(&cond->waiting, 0); return 0; }
void cnd_destroy(struct __taut_cond *cond) {}
int cnd_wait(struct __taut_cond *cond, struct __taut_mutex *mutex) { return __taut_wait(cond, mutex); }
int cnd_timedwait(struct __taut_cond *cond, struct __taut_mutex *mutex, const void *time) { return __taut_wait_late(cond, mutex, 4); }
int cnd_signal(struct __taut_cond *cond) { return __taut_signal(cond); }
int cnd_broadcast(struct __taut_cond *cond) { return __taut_broadcast(cond); }

int pthread_rwlock_init(struct __taut_rwlock *lock, const struct __taut_attr *attr) {
  __taut_init(&lock->writer, 0);
  __taut_init(&lock->readers, 0);
  return 0;
}

int pthread_rwlock_destroy(struct __taut_rwlock *lock) { return 0; }

/* Readers come after writers, writers after readers and writers. */
int pthread_rwlock_rdlock(struct __taut_rwlock *lock) {
  __taut_when(lock->writer == 0);
  lock->readers = lock->readers + 1;
  __taut_acquire(&lock->writer);
  __taut_atomic_end();
  return 0;
}

int pthread_rwlock_tryrdlock(struct __taut_rwlock *lock) {
  int result = 16;
  __taut_when(1);
  if (lock->writer == 0) {
    lock->readers = lock->readers + 1;
    __taut_acquire(&lock->writer);
    result = 0;
  }
  __taut_atomic_end();
  return result;
}

int pthread_rwlock_wrlock(struct __taut_rwlock *lock) {
  __taut_when(lock->writer == 0 && lock->readers == 0);
  lock->writer = OWNER;
  __taut_acquire(&lock->writer);
  __taut_acquire(&lock->readers);
  __taut_atomic_end();
  return 0;
}

int pthread_rwlock_trywrlock(struct __taut_rwlock *lock) {
  int result = 16;
  __taut_when(1);
  if (lock->writer == 0 && lock->readers == 0) {
    lock->writer = OWNER;
    __taut_acquire(&lock->writer);
    __taut_acquire(&lock->readers);
    result = 0;
  }
  __taut_atomic_end();
  return result;
}

int pthread_rwlock_unlock(struct __taut_rwlock *lock) {
  __taut_when(1);
  if (lock->writer == OWNER) {
    lock->writer = 0;
    __taut_release(&lock->writer);
  } else if (lock->writer == 0 && lock->readers > 0) {
    lock->readers = lock->readers - 1;
    __taut_release(&lock->readers);
  } else
    __taut_fail("a lock is released by a thread that does not hold it");
  __taut_atomic_end();
  return 0;
}

int pthread_spin_init(volatile int *lock, int shared) { __taut_init(lock, 0); return 0; }
int pthread_spin_destroy(volatile int *lock) { return 0; }

int pthread_spin_lock(volatile int *lock) {
  __taut_when(*lock == 0);
  *lock = 1;
  __taut_acquire(lock);
  __taut_atomic_end();
  return 0;
}

int pthread_spin_trylock(volatile int *lock) {
  int result = 16;
  __taut_when(1);
  if (*lock == 0) {
    *lock = 1;
    __taut_acquire(lock);
    result = 0;
  }
  __taut_atomic_end();
  return result;
}

/* A plain store on x86: it may stay in the store buffer, unlike that of a mutex. */
int pthread_spin_unlock(volatile int *lock) {
  __atomic_store_n(lock, 0, 3);
  return 0;
}

int pthread_barrier_init(struct __taut_barrier *barrier, const struct __taut_attr *attr, unsigned count) {
  if (count == 0)
    return 22;
  __taut_init(&barrier->count, count);
  __taut_init(&barrier->arrived, 0);
  __taut_init(&barrier->waiting, 0);
  return 0;
}

int pthread_barrier_destroy(struct __taut_barrier *barrier) { return 0; }

/* The last thread lets all others go on: each of them waits until its own bit is gone. It comes after all that have
   arrived, and all others after it. */
int pthread_barrier_wait(struct __taut_barrier *barrier) {
  unsigned long me = 1UL << __taut_self();
  __taut_when(1);
  if (barrier->arrived + 1 == barrier->count) {
    barrier->arrived = 0;
    barrier->waiting = 0;
    __taut_acquire(&barrier->arrived);
    __taut_release(&barrier->waiting);
    __taut_atomic_end();
    return -1;
  }
  barrier->arrived = barrier->arrived + 1;
  barrier->waiting = barrier->waiting | me;
  __taut_release(&barrier->arrived);
  __taut_atomic_end();
  __taut_when((barrier->waiting & me) == 0);
  __taut_acquire(&barrier->waiting);
  __taut_atomic_end();
  return 0;
}

/* 0: not begun, 1: runs, 2: done. */
static void __taut_once(int *once, void (*function)(void)) {
  if (__atomic_load_n(once, 2) == 2)
    return;
  __taut_when(*once != 1);
  if (*once == 2) {
    __taut_acquire(once);
    __taut_atomic_end();
    return;
  }
  *once = 1;
  __taut_atomic_end();
  function();
  __taut_when(1);
  *once = 2;
  __taut_release(once);
  __taut_atomic_end();
}

int pthread_once(int *once, void (*function)(void)) { __taut_once(once, function); return 0; }
void call_once(int *once, void (*function)(void)) { __taut_once(once, function); }

int sem_init(struct __taut_sem *sem, int shared, unsigned value) { __taut_init(&sem->value, (int)value); return 0; }
int sem_destroy(struct __taut_sem *sem) { return 0; }

int sem_wait(struct __taut_sem *sem) {
  __taut_when(sem->value > 0);
  sem->value = sem->value - 1;
  __taut_acquire(&sem->value);
  __taut_atomic_end();
  return 0;
}

static int __taut_sem_try(struct __taut_sem *sem, int error) {
  int result = -1;
  __taut_when(1);
  if (sem->value > 0) {
    sem->value = sem->value - 1;
    __taut_acquire(&sem->value);
    result = 0;
  }
  __taut_atomic_end();
#ifdef ERRNO
  if (result)
    *__errno_location() = error;
#endif
  return result;
}

int sem_trywait(struct __taut_sem *sem) { return __taut_sem_try(sem, 11); }
int sem_timedwait(struct __taut_sem *sem, const void *time) { return __taut_sem_try(sem, 110); }

int sem_post(struct __taut_sem *sem) {
  __taut_when(1);
  sem->value = sem->value + 1;
  __taut_release(&sem->value);
  __taut_atomic_end();
  return 0;
}

int sem_getvalue(struct __taut_sem *sem, int *value) {
  *value = __atomic_load_n(&sem->value, 2);
  return 0;
}
