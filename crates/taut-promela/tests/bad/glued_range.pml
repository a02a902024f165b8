#define N 3
init { int i; for (i : 1..N) { skip } }
