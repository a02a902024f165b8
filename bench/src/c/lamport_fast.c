static atomic_int x, y;
static atomic_bool busy[THREADS];

static int get(atomic_int *variable)
{
    return atomic_load_explicit(variable, memory_order_acquire);
}

static void lock(int me)
{
    int name = me + 1;
    for (;;) {
        atomic_store_explicit(&busy[me], true, memory_order_release);
        atomic_store_explicit(&x, name, memory_order_release);
        atomic_thread_fence(memory_order_seq_cst);
        if (get(&y) != 0) {
            atomic_store_explicit(&busy[me], false, memory_order_release);
            while (get(&y) != 0)
                ;
            continue;
        }
        atomic_store_explicit(&y, name, memory_order_release);
        atomic_thread_fence(memory_order_seq_cst);
        if (get(&x) == name)
            return;
        atomic_store_explicit(&busy[me], false, memory_order_release);
        for (int i = 0; i < THREADS; i++)
            while (atomic_load_explicit(&busy[i], memory_order_acquire))
                ;
        if (get(&y) == name)
            return;
        while (get(&y) != 0)
            ;
    }
}

static void unlock(int me)
{
    atomic_store_explicit(&y, 0, memory_order_release);
    atomic_store_explicit(&busy[me], false, memory_order_release);
}
