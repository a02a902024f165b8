#define INC(v) v = v + 1
int counter;
init {
  INC(conter)
}
