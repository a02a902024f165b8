union word { int whole; short half; } w;
int low(void) { return w.half; }
int main(void)
{
  w.whole = 3;
  return low();
}
