/* Once different in SPIN: a block inside of a d_step does not end it. */
byte g;
active proctype P() {
  d_step {
    { if :: g == 2 -> g = 0 :: else fi };
    { if :: g == 1 -> g = 0 :: else fi }
  }
}
active proctype Q() { g = 1 }
