/* Once different in SPIN: else at the beginning of a d_step yields to its own if only. */
byte x;
active proctype P() {
  if
  :: x == 0 -> x = 5
  :: d_step { if :: x == 7 -> x = 1 :: else -> x = 2 fi }
  fi
}
