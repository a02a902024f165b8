/* Once different in SPIN: a loop inside of a d_step, after a block. */
byte g, h; bool a[2];
active proctype P() {
  do :: d_step { { h = (g + 1) % 3 }; byte i; for (i in a) { g = i } } od
}
