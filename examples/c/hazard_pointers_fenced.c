// A hazard pointer with the fence that makes it seen before the second look; see hazard_pointers.c.
//
// expect: all holds

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
    int value;
};

static _Atomic(struct object *) current, hazard;

static struct object *new_object(int value)
{
    struct object *o = malloc(sizeof *o);
    o->value = value;
    return o;
}

static struct object *protect(void)
{
    struct object *o;
    do {
        o = atomic_load_explicit(&current, memory_order_relaxed);
        atomic_store_explicit(&hazard, o, memory_order_release);
        atomic_thread_fence(memory_order_seq_cst);
    } while (atomic_load_explicit(&current, memory_order_acquire) != o);
    return o;
}

static void *reader(void *unused)
{
    (void)unused;
    for (int round = 0; round < 2; round++) {
        struct object *o = protect();
        assert(o->value == 1 || o->value == 2);
        atomic_store_explicit(&hazard, NULL, memory_order_release);
    }
    return NULL;
}

static void *writer(void *unused)
{
    (void)unused;
    struct object *old = atomic_exchange(&current, new_object(2));
    while (atomic_load_explicit(&hazard, memory_order_acquire) == old)
        ;
    free(old);
    return NULL;
}

int main(void)
{
    atomic_init(&current, new_object(1));
    pthread_t r, w;
    pthread_create(&r, NULL, reader, NULL);
    pthread_create(&w, NULL, writer, NULL);
    pthread_join(r, NULL);
    pthread_join(w, NULL);
    free(atomic_load(&current));
    return 0;
}
