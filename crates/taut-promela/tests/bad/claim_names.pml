byte x;
active proctype p() { L: x = 1 }
ltl { [] p@M }
ltl { [] (q@L || p:y == 1) }
ltl { [] (drained(q) && view(r, x) == 1 && enabled(s)) }
ltl { [] (view(p) == 1) }
