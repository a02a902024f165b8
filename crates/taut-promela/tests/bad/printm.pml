mtype = { a };
active proctype P() { printm(a); printm(3) }
