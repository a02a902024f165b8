// Publishing in the manner of read-copy-update, with a full fence on both sides; see rcu_publish.c.
//
// The reader is seen before it follows the pointer; the new pointer is seen before the updater looks for readers.
//
// expect: all holds

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct version {
    int number;
    int square;
};

static _Atomic(struct version *) current;
static atomic_int reading;

static struct version *new_version(int number)
{
    struct version *v = malloc(sizeof *v);
    v->number = number;
    v->square = number * number;
    return v;
}

static void *reader(void *unused)
{
    (void)unused;
    for (int round = 0; round < 2; round++) {
        atomic_store_explicit(&reading, 1, memory_order_release);
        atomic_thread_fence(memory_order_seq_cst);
        struct version *v = atomic_load_explicit(&current, memory_order_acquire);
        assert(v->square == v->number * v->number);
        atomic_store_explicit(&reading, 0, memory_order_release);
    }
    return NULL;
}

static void *updater(void *unused)
{
    (void)unused;
    struct version *old = atomic_load_explicit(&current, memory_order_relaxed);
    atomic_store_explicit(&current, new_version(3), memory_order_release);
    atomic_thread_fence(memory_order_seq_cst);
    while (atomic_load_explicit(&reading, memory_order_acquire))
        ;
    free(old);
    return NULL;
}

int main(void)
{
    atomic_init(&current, new_version(2));
    pthread_t r, u;
    pthread_create(&r, NULL, reader, NULL);
    pthread_create(&u, NULL, updater, NULL);
    pthread_join(r, NULL);
    pthread_join(u, NULL);
    free(atomic_load(&current));
    return 0;
}
