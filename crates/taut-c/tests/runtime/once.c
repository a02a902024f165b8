// A function that is to run once runs once, before either caller goes on.
// expect: all holds
#include <assert.h>
#include <pthread.h>
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int runs;
static void init(void) { runs = runs + 1; }
static void *worker(void *arg) {
  pthread_once(&once, init);
  assert(runs == 1);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  worker(0);
  pthread_join(t, 0);
  return 0;
}
