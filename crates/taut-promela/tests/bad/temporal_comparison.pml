int x;
init { skip }
ltl p { [] x == 1 }
