int x;
init { x = 12ab }
