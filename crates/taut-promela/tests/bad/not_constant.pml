int n;
int a[n];
chan q = [n + 1] of { byte };
init { skip }
