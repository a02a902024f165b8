int flag, turn;
init { int inner; { int deep; deep = 1 }; flga = 1; deep = 2; trun++ }
