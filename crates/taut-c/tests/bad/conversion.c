struct s { int a; } s;
struct t { int a; } t;
void nothing(void) { }
int main(void)
{
  int x = s;
  s = t;
  x = nothing();
  if (s) x = 1;
  switch (&x) { }
  return s;
}
