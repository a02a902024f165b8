// A result and a flag that says that it is there: the flag is stored with release and loaded with acquire.
//
// Whoever sees the flag also sees the result, and comes after the store to it. So the result itself can be plain: there is
// no data race. done_flag_plain.c is the same with a plain flag.
//
// expect: all holds
// expect: sc holds race

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

static int result;
static atomic_bool done;

static void *worker(void *unused)
{
    (void)unused;
    result = 42;
    atomic_store_explicit(&done, true, memory_order_release);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    while (!atomic_load_explicit(&done, memory_order_acquire))
        ;
    assert(result == 42);
    pthread_join(thread, NULL);
    return 0;
}
