int add(int a, int b) { return a + b; }
int main(void)
{
  add(1);
  add(1, 2, 3);
  __atomic_load_n();
  return 0;
}
