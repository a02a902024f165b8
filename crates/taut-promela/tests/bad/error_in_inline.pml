int x;
inline set(v) {
  v = nowhere
}
init {
  set(x)
}
