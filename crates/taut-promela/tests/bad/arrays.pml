int a[3], x;
init { a = 1; x[1] = 2; _pid[1] == 0 }
