int x = [1] of { byte };
int y = { 1, 2 };
int z[2] = { 1, 2, 3 };
proctype P(int a = 3) { skip }
init { skip }
