struct pair { int a, b; };
_Atomic struct pair shared;
int main(void)
{
  struct pair mine = { 1, 2 };
  shared = mine;
  return mine.a;
}
