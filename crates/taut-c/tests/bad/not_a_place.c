int a[2], b[2];
int main(void)
{
  int x = 0;
  (x + 1) = 2;
  a = b;
  &(x + 1);
  3++;
  return 0;
}
