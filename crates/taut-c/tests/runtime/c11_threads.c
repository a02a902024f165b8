// Threads, mutexes and conditions of C11.
// expect: all holds
#include <assert.h>
#include <threads.h>
static mtx_t m;
static cnd_t c;
static int ready;
static int worker(void *arg) {
  mtx_lock(&m);
  ready = 1;
  cnd_signal(&c);
  mtx_unlock(&m);
  return 5;
}
int main(void) {
  thrd_t t;
  int r;
  mtx_init(&m, mtx_plain);
  cnd_init(&c);
  thrd_create(&t, worker, 0);
  mtx_lock(&m);
  while (!ready)
    cnd_wait(&c, &m);
  mtx_unlock(&m);
  thrd_join(t, &r);
  assert(r == 5 && ready == 1);
  return 0;
}
