#define INC(v) v = cuonter + 1
int counter;

init {
  INC(counter)
}
