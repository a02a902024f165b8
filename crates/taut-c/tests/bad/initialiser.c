struct s { int a, b; };
struct s x = { .c = 1 };
int a[2] = { [5] = 1 };
int b[3] = 4;
int c[-1];
int d[3] = { .x = 1 };
int e = { 1, 2 };
int main(void) { return 0; }
