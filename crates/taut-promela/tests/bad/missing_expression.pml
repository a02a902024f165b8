int x;
init { x = ; x = 2 }
