int main(void)
{
  double _Complex z = 0;
  return z == 0;
}
