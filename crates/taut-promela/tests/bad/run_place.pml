proctype P() { skip }
int x = run P();
init { run P() + 1; x = run P() }
