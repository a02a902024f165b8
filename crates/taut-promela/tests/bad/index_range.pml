int a[3];
init { a[5] = y }
