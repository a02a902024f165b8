// A mutex that is not held is unlocked.
// expect: all violated
#include <pthread.h>
static pthread_mutex_t m;
int main(void) {
  pthread_mutex_init(&m, 0);
  pthread_mutex_unlock(&m);
  return 0;
}
