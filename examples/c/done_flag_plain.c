// A result and a flag that says that it is there, both plain: a data race.
//
// In the order of the text it works, and on x86 it may work for years. But nothing orders the two threads: a compiler may
// exchange the two stores, and it may load the flag once, before the loop, which then never ends. (With -O2 both gcc and
// clang do the latter.) PSO shows the first of these. The race is found under every memory model.
// done_flag.c is the same with a flag that is stored with release and loaded with acquire.
//
// expect: sc holds
// expect: tso holds
// expect: pso violated
// expect: sc violated race
// fences: pso 1

#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

static int result;
static bool done;

static void *worker(void *unused)
{
    (void)unused;
    result = 42;
    done = true;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    while (!done)
        ;
    assert(result == 42);
    pthread_join(thread, NULL);
    return 0;
}
