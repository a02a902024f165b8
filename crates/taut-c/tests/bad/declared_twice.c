int x;
long x;
int f(void) { return 0; }
int f(void) { return 1; }
struct s { int a; };
struct s { int b; };
enum { RED, RED };
int main(void)
{
  int y = 1;
  int y = 2;
  return 0;
}
