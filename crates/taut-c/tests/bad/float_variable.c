double half(double x) { return x / 2; }
int main(void)
{
  float f = 0.5;
  return f > 0.1;
}
