int sum(int n)
{
  int parts[n];
  parts[0] = n;
  return parts[0];
}
int main(void) { return sum(3); }
