inline f(v) { return v }
int x;
init { f(x); return 1 }
