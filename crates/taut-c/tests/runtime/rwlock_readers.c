// Two readers can be inside at once.
// expect: all violated
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int inside;
static void *reader(void *arg) {
  pthread_rwlock_rdlock(&l);
  assert(atomic_fetch_add(&inside, 1) == 0);
  atomic_fetch_sub(&inside, 1);
  pthread_rwlock_unlock(&l);
  return arg;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, reader, 0);
  reader(0);
  pthread_join(a, 0);
  return 0;
}
