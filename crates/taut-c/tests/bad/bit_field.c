struct flags { unsigned locked : 1; unsigned owner : 7; int count; } f;
int main(void)
{
  f.count = 1;
  f.locked = 1;
  return 0;
}
