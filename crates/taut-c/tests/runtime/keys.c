// Each thread has its own data under a key.
// expect: all holds
#include <assert.h>
#include <pthread.h>
static pthread_key_t key;
static int a, b;
static void *worker(void *arg) {
  assert(pthread_getspecific(key) == 0);
  pthread_setspecific(key, arg);
  assert(pthread_getspecific(key) == arg);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_key_create(&key, 0);
  pthread_create(&t, 0, worker, &a);
  pthread_setspecific(key, &b);
  assert(pthread_getspecific(key) == &b);
  pthread_join(t, 0);
  return 0;
}
