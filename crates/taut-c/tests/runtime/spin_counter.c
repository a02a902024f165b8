// A spin lock keeps two threads apart.
// expect: all holds
#include <assert.h>
#include <pthread.h>
static pthread_spinlock_t l;
static int counter;
static void *worker(void *arg) {
  pthread_spin_lock(&l);
  counter++;
  pthread_spin_unlock(&l);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_spin_init(&l, 0);
  pthread_create(&t, 0, worker, 0);
  worker(0);
  pthread_join(t, 0);
  assert(counter == 2);
  return 0;
}
