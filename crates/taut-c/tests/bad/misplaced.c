int main(void)
{
  break;
  continue;
  case 1: ;
  default: ;
  switch (1) { case 1: case 1: break; default: default: continue; }
  return 0;
}
