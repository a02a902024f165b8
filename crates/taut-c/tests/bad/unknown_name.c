int count;
int main(void)
{
  coumt = 1;
  return other;
}
