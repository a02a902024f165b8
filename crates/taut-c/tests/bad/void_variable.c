void v;
int main(void)
{
  void w;
  return 0;
}
