int x;
init { <> x }
