/* What only a claim can ask. */
byte x;
active proctype p() { (drained(p)); (view(p, x) == 1); (enabled(1)); GSVAR(0) }
