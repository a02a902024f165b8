int x;
init { x = WRITE(x, 1); FENCE(1); SVAR(nobody, x) == 1 }
