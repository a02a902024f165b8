// A reader-writer lock in one integer: the number of readers, or -1 for a writer.
//
// expect: all holds

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int state;
static int x, y;

static void read_lock(void)
{
    int now = atomic_load_explicit(&state, memory_order_relaxed);
    for (;;) {
        if (now < 0)
            now = atomic_load_explicit(&state, memory_order_relaxed);
        else if (atomic_compare_exchange_weak_explicit(&state, &now, now + 1, memory_order_acquire, memory_order_relaxed))
            return;
    }
}

static void read_unlock(void)
{
    atomic_fetch_sub_explicit(&state, 1, memory_order_release);
}

static void write_lock(void)
{
    int nobody = 0;
    while (!atomic_compare_exchange_weak_explicit(&state, &nobody, -1, memory_order_acquire, memory_order_relaxed))
        nobody = 0;
}

static void write_unlock(void)
{
    atomic_store_explicit(&state, 0, memory_order_release);
}

static void *reader(void *unused)
{
    (void)unused;
    read_lock();
    assert(x == y);
    read_unlock();
    return NULL;
}

static void *writer(void *unused)
{
    (void)unused;
    for (int i = 1; i <= 2; i++) {
        write_lock();
        x = i;
        y = i;
        write_unlock();
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, NULL, reader, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_create(&c, NULL, writer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    assert(x == 2 && y == 2);
    return 0;
}
