struct pair { int a, b; } p, q;
int main(void)
{
  __atomic_load(&p, &q, 5);
  return q.a;
}
