union cell { long number; void *pointer; };
int main(void)
{
  union cell c = { .number = 1 };
  return c.pointer != 0;
}
