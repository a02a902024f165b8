int x;
byte x;
mtype = { a, b, a };
proctype P() { skip }
int P;
init { int x; int _pid; skip }
proctype P() { skip }
