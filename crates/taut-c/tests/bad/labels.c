int main(void)
{
again:
  goto agian;
again:
  return 0;
}
