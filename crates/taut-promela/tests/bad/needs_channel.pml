byte x;
int a[2];
init { x!1; x?_; len(x) == 1; for (x in x) { skip } }
