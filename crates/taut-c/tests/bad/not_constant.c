int n = 3;
int a[n];
int *p = &n + n;
int k = n;
enum { A = n };
int main(void)
{
  switch (n) { case n: return 0; }
  return 0;
}
