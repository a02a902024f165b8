mtype = { red };
init { _pid = 1; red = 2 }
