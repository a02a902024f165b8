unsigned a;
unsigned b : 40;
int c : 3;
hidden bool d;
chan q = [1] of { unsigned };
init { skip }
