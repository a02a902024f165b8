int x;
inline set(v) {
  v = + ;
}
init {
  set(x);
  set(x)
}
