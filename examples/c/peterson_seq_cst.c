// Peterson's lock as it is often written: every access has the default order, memory_order_seq_cst.
//
// It is right everywhere, and three stores wait for memory where one is enough. `taut repair --relax` finds the two that
// need not: the flag of the own thread is behind the turn in any case, and leaving the lock needs release only.
//
// expect: all holds

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

static atomic_bool flag[2];
static atomic_int turn;
static int counter;

static void lock(int me)
{
    int other = 1 - me;
    flag[me] = true;
    atomic_store(&turn, other);
    while (flag[other] && turn == other)
        ;
}

static void unlock(int me)
{
    flag[me] = false;
}

static void *thread(void *arg)
{
    int me = (int)(intptr_t)arg;
    lock(me);
    counter++;
    unlock(me);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, thread, (void *)(intptr_t)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(counter == 2);
    return 0;
}
