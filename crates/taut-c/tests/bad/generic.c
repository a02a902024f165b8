int main(void)
{
  long x = 1;
  return _Generic(x, int: 1, char *: 2);
}
