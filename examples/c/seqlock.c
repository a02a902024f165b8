// A sequence lock: readers never write, and read again if the number has changed or is odd.
//
// The data is atomic, since readers look at it while it changes. The release fence keeps the odd number before the
// data, the release store keeps the data before the even one.
//
// expect: all holds

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define ROUNDS 2

static atomic_uint number;
static atomic_int x, y;

static void publish(int value)
{
    unsigned now = atomic_load_explicit(&number, memory_order_relaxed);
    atomic_store_explicit(&number, now + 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&x, value, memory_order_relaxed);
    atomic_store_explicit(&y, value, memory_order_relaxed);
    atomic_store_explicit(&number, now + 2, memory_order_release);
}

static void snapshot(int *a, int *b)
{
    unsigned before, after;
    do {
        before = atomic_load_explicit(&number, memory_order_acquire);
        *a = atomic_load_explicit(&x, memory_order_relaxed);
        *b = atomic_load_explicit(&y, memory_order_relaxed);
        atomic_thread_fence(memory_order_acquire);
        after = atomic_load_explicit(&number, memory_order_relaxed);
    } while (before != after || before % 2 != 0);
}

static void *writer(void *unused)
{
    (void)unused;
    for (int i = 1; i <= ROUNDS; i++)
        publish(i);
    return NULL;
}

static void *reader(void *unused)
{
    int a, b;
    (void)unused;
    snapshot(&a, &b);
    assert(a == b);
    return NULL;
}

int main(void)
{
    pthread_t w, r;
    pthread_create(&w, NULL, writer, NULL);
    pthread_create(&r, NULL, reader, NULL);
    pthread_join(w, NULL);
    pthread_join(r, NULL);
    return 0;
}
