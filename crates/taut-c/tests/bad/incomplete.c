struct node;
struct node head;
struct list { struct list inner; };
int main(void)
{
  struct node *p = 0;
  int open[];
  return p->value;
}
