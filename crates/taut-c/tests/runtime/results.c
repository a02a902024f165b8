// A thread's result comes from its return or its exit; threads know themselves.
// expect: all holds
#include <assert.h>
#include <pthread.h>
static pthread_t t;
static void *worker(void *arg) {
  assert(pthread_equal(pthread_self(), t));
  if (arg)
    pthread_exit((void *)3);
  return (void *)4;
}
int main(void) {
  void *r;
  pthread_create(&t, 0, worker, (void *)1);
  pthread_join(t, &r);
  assert((long)r == 3);
  assert(!pthread_equal(pthread_self(), t));
  return 0;
}
