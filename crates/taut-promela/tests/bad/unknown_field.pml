typedef T { int count; byte kind }
T t;
init { t.cuont = 1; t.count.x = 2 }
