// Store buffering with a full fence between the store and the load; see store_buffering.c.
//
// expect: all holds

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
    atomic_thread_fence(memory_order_seq_cst);
    seen_by_left = atomic_load_explicit(&y, memory_order_acquire);
    return NULL;
}

static void *right(void *unused)
{
    (void)unused;
    atomic_store_explicit(&y, 1, memory_order_release);
    atomic_thread_fence(memory_order_seq_cst);
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
