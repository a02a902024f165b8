struct node { int value; struct node *next; };
struct node head;
int main(void)
{
  head.nxt = &head;
  head.colour = 1;
  int x = 3;
  x.value = 1;
  struct node *p = &head;
  return p.value;
}
