inline lock(x) { x = 1 }
int l;
proctype P() { skip }
init { lok(l); P() }
