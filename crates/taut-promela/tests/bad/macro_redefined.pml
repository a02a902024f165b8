#define N 3
#define N 4
int x[N];
init { x[0] = y }
