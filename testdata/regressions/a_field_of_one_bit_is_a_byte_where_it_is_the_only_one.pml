/* Once different in SPIN: a field of one bit is a byte where it is the only one. */
chan c = [1] of { bit };
proctype P() { if :: c!2 :: c!0 fi }
init { run P() }
