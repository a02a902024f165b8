unsigned long most = 0xffffffffffffffff;
unsigned long more = 0x10000000000000000;
int main(void)
{
  return 99999999999999999999 > more;
}
