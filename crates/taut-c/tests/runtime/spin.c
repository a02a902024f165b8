// The store that releases a spin lock may wait in the buffer: what follows it is not ordered after it.
// expect: sc holds
// expect: tso violated
// expect: pso violated
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static pthread_spinlock_t l, k;
static atomic_int x, y;
static int r0, r1;
static void *other(void *arg) {
  pthread_spin_lock(&k);
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  pthread_spin_unlock(&k);
  r1 = atomic_load_explicit(&x, memory_order_relaxed);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_spin_init(&l, 0);
  pthread_spin_init(&k, 0);
  pthread_create(&t, 0, other, 0);
  pthread_spin_lock(&l);
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  pthread_spin_unlock(&l);
  r0 = atomic_load_explicit(&y, memory_order_relaxed);
  pthread_join(t, 0);
  assert(r0 == 1 || r1 == 1);
  return 0;
}
