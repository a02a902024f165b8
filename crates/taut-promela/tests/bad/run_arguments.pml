proctype P(int a, b) { skip }
int x;
init { run P(1); WRITE(x) }
