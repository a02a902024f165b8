enum state { OUTSIDE, WANTS_IN, WAITS, AT_DOOR, INSIDE };
static _Atomic enum state state[2];

static enum state look(int who)
{
    return atomic_load_explicit(&state[who], memory_order_acquire);
}

static void lock(int me)
{
    int other = 1 - me;
    atomic_store_explicit(&state[me], WANTS_IN, memory_order_release);
    atomic_thread_fence(memory_order_seq_cst);
    while (look(other) >= AT_DOOR)
        ;
    atomic_store_explicit(&state[me], AT_DOOR, memory_order_release);
    atomic_thread_fence(memory_order_seq_cst);
    if (look(other) == WANTS_IN) {
        atomic_store_explicit(&state[me], WAITS, memory_order_release);
        while (look(other) != INSIDE)
            ;
    }
    atomic_store_explicit(&state[me], INSIDE, memory_order_release);
    if (me == 1)
        while (look(other) >= WAITS)
            ;
}

static void unlock(int me)
{
    if (me == 0)
        for (enum state s = look(1); s == WAITS || s == AT_DOOR; s = look(1))
            ;
    atomic_store_explicit(&state[me], OUTSIDE, memory_order_release);
}
