struct node {
    _Atomic(struct node *) next;
    atomic_bool waits;
};

static struct node nodes[THREADS];
static _Atomic(struct node *) tail;

static void lock(int me)
{
    struct node *mine = &nodes[me];
    atomic_store_explicit(&mine->next, NULL, memory_order_relaxed);
    atomic_store_explicit(&mine->waits, true, memory_order_relaxed);
    struct node *before = atomic_exchange_explicit(&tail, mine, memory_order_acq_rel);
    if (before == NULL)
        return;
    atomic_store_explicit(&before->next, mine, memory_order_release);
    while (atomic_load_explicit(&mine->waits, memory_order_acquire))
        ;
}

static void unlock(int me)
{
    struct node *mine = &nodes[me];
    struct node *after = atomic_load_explicit(&mine->next, memory_order_acquire);
    if (after == NULL) {
        struct node *last = mine;
        if (atomic_compare_exchange_strong_explicit(&tail, &last, NULL, memory_order_release, memory_order_relaxed))
            return;
        do
            after = atomic_load_explicit(&mine->next, memory_order_acquire);
        while (after == NULL);
    }
    atomic_store_explicit(&after->waits, false, memory_order_release);
}
