int main(void)
{
  work(3);
  return 0;
}
