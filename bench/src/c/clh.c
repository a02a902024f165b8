struct node {
    atomic_bool busy;
};

static struct node nodes[THREADS + 1];
static struct node *own[THREADS];
static struct node *before[THREADS];
static _Atomic(struct node *) tail = &nodes[THREADS];

static void lock(int me)
{
    if (own[me] == NULL)
        own[me] = &nodes[me];
    atomic_store_explicit(&own[me]->busy, true, memory_order_relaxed);
    before[me] = atomic_exchange_explicit(&tail, own[me], memory_order_acq_rel);
    while (atomic_load_explicit(&before[me]->busy, memory_order_acquire))
        ;
}

static void unlock(int me)
{
    struct node *mine = own[me];
    own[me] = before[me];
    atomic_store_explicit(&mine->busy, false, memory_order_release);
}
