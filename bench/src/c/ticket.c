static atomic_uint next, serving;

static void lock(int me)
{
    unsigned mine = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed);
    (void)me;
    while (atomic_load_explicit(&serving, memory_order_acquire) != mine)
        ;
}

static void unlock(int me)
{
    unsigned now = atomic_load_explicit(&serving, memory_order_relaxed);
    (void)me;
    atomic_store_explicit(&serving, now + 1, memory_order_release);
}
