_Static_assert(sizeof(long) == 4, "long has 32 bits");
struct s { int a; _Static_assert(1 < 0, "order"); };
int main(void) { return 0; }
