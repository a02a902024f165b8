typedef T { int a }
T t, u;
init { t = u }
