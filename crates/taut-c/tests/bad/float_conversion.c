double scale;
int main(void)
{
  return (int)scale;
}
