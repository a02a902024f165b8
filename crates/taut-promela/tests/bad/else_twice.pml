int x;
init { if :: else -> skip :: else -> x = 1 fi; else }
