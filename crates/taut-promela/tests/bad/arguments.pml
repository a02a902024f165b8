proctype P(int a, b) { skip }
inline f(a) { a = 1 }
int x;
init { run P(1); f(x, x) }
