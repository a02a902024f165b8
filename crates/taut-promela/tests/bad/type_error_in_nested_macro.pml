#define SEND(v) q!v
#define TWICE(v) SEND(v); SEND(v)
byte q;
init {
  TWICE(1)
}
