// The time of a wait may be over before the signal, and after it.
// expect: all violated
#include <assert.h>
#include <errno.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int main(void) {
  struct timespec t = { 0, 0 };
  pthread_mutex_lock(&m);
  assert(pthread_cond_timedwait(&c, &m, &t) != ETIMEDOUT);
  return 0;
}
