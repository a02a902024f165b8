/* What a claim cannot ask. */
byte x, a[300];
active proctype p() { byte own[300]; L: x = 1; skip }
ltl bad1 { <> timeout }
ltl bad2 { [] (READ(0) == 1) }
ltl bad3 { [] (view(p, 3) == 1) }
ltl bad4 { [] (pc_value(0) == 1 || p:_p == 1) }
ltl bad5 { [] (view(p, a[x]) == p:own[x]) }
never { do :: timeout od }
