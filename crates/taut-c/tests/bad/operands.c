struct s { int a; } s;
int *p, *q;
int main(void)
{
  s + 1;
  p * 2;
  p + q;
  -p;
  *3;
  s++;
  return 0;
}
