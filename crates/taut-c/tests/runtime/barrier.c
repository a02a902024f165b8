// All threads arrive at a barrier before one leaves it, twice.
// expect: all holds
#include <assert.h>
#include <pthread.h>
static pthread_barrier_t b;
static int x[2], serial[2];
static void *worker(void *arg) {
  long me = (long)arg;
  x[me] = 1;
  if (pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD)
    serial[me] = 1;
  assert(x[1 - me] == 1);
  pthread_barrier_wait(&b);
  assert(serial[0] + serial[1] == 1);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_barrier_init(&b, 0, 2);
  pthread_create(&t, 0, worker, (void *)1);
  worker(0);
  pthread_join(t, 0);
  return 0;
}
