// Store buffering: the smallest program that a processor of today gets wrong.
//
// Each thread raises its own flag and then looks at the other's. In every interleaving the one that raises its flag
// second sees the other flag up. With store buffers both flags can still be on their way to memory while both
// threads look, and both see nothing.
//
// SC        at least one sees the other.
// TSO, PSO  broken: both miss. A fence in each thread between the store and the load fixes it:
//           store_buffering_fenced.c.
//
// expect: sc holds
// expect: tso violated
// expect: pso violated
// fences: tso 2
// fences: pso 2

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;
static int seen_by_left, seen_by_right;

static void *left(void *unused)
{
    (void)unused;
    atomic_store_explicit(&x, 1, memory_order_release);
    seen_by_left = atomic_load_explicit(&y, memory_order_acquire);
    return NULL;
}

static void *right(void *unused)
{
    (void)unused;
    atomic_store_explicit(&y, 1, memory_order_release);
    seen_by_right = atomic_load_explicit(&x, memory_order_acquire);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, left, NULL);
    pthread_create(&b, NULL, right, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(seen_by_left == 1 || seen_by_right == 1);
    return 0;
}
