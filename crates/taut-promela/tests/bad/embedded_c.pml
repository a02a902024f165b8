int x;
c_decl { int y; }
init {
  x = 1;
  c_code { now.x = 2; };
  c_expr { now.x }
}
