// exit ends all threads.
// expect: all holds
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static void *forever(void *arg) {
  for (;;)
    ;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, forever, 0);
  exit(0);
  assert(0);
}
