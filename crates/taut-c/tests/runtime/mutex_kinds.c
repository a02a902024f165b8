// Recursive mutexes count, those that check errors report them.
// expect: all holds
#include <assert.h>
#include <errno.h>
#include <pthread.h>
static pthread_mutex_t r, e;
static int shared;
static void *worker(void *arg) {
  assert(pthread_mutex_unlock(&e) == EPERM);
  pthread_mutex_lock(&r);
  assert(shared == 0);
  pthread_mutex_unlock(&r);
  return arg;
}
int main(void) {
  pthread_mutexattr_t attr;
  pthread_t t;
  pthread_mutexattr_init(&attr);
  pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&r, &attr);
  pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&e, &attr);
  pthread_create(&t, 0, worker, 0);
  assert(pthread_mutex_lock(&r) == 0);
  assert(pthread_mutex_lock(&r) == 0);
  shared = 1;
  pthread_mutex_unlock(&r);
  shared = 0;
  pthread_mutex_unlock(&r);
  assert(pthread_mutex_lock(&e) == 0);
  assert(pthread_mutex_lock(&e) == EDEADLK);
  assert(pthread_mutex_unlock(&e) == 0);
  pthread_join(t, 0);
  return 0;
}
