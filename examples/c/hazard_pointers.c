// A hazard pointer (M. Michael, 2004) without its fence: a reader writes down which object it is about to use,
// looks whether it is still the current one, and uses it. A writer frees an old object once no hazard pointer names
// it.
//
// SC        no object is used after it was freed.
// TSO, PSO  broken: the hazard pointer waits in the reader's buffer while the reader looks again. The writer does
//           not see it and frees the object. A full fence after the store fixes it: hazard_pointers_fenced.c.
//
// expect: sc holds
// expect: tso violated
// expect: pso violated
// fences: tso 1
// fences: pso 1

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
