int setjmp(long *);
void longjmp(long *, int);
long buffer[8];
int main(void)
{
  if (setjmp(buffer)) return 1;
  longjmp(buffer, 1);
  return 0;
}
