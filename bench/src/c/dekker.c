static atomic_bool flag[2];
static atomic_int turn;

static void lock(int me)
{
    int other = 1 - me;
    atomic_store_explicit(&flag[me], true, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    while (atomic_load_explicit(&flag[other], memory_order_acquire)) {
        if (atomic_load_explicit(&turn, memory_order_relaxed) == me)
            continue;
        atomic_store_explicit(&flag[me], false, memory_order_release);
        while (atomic_load_explicit(&turn, memory_order_relaxed) != me)
            ;
        atomic_store_explicit(&flag[me], true, memory_order_relaxed);
        atomic_thread_fence(memory_order_seq_cst);
    }
}

static void unlock(int me)
{
    atomic_store_explicit(&turn, 1 - me, memory_order_relaxed);
    atomic_store_explicit(&flag[me], false, memory_order_release);
}
