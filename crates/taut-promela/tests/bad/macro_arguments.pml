#define ADD(a, b) a + b
int x;
init { x = ADD(1); x = ADD(1, 2, 3) }
