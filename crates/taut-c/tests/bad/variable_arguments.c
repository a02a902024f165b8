#include <stdarg.h>
int sum(int n, ...)
{
  va_list list;
  va_start(list, n);
  int x = va_arg(list, int);
  va_end(list);
  return x;
}
int main(void) { return sum(1, 2); }
