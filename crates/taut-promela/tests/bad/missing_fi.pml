int x;
active proctype P() {
  if
  :: x == 1 -> skip
}
