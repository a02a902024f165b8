static atomic_flag taken = ATOMIC_FLAG_INIT;

static void lock(int me)
{
    (void)me;
    while (atomic_flag_test_and_set_explicit(&taken, memory_order_acquire))
        ;
}

static void unlock(int me)
{
    (void)me;
    atomic_flag_clear_explicit(&taken, memory_order_release);
}
