static inline long long taut_add(long long a, long long b) {
  return (long long)((unsigned long long)a + (unsigned long long)b);
}
static inline long long taut_sub(long long a, long long b) {
  return (long long)((unsigned long long)a - (unsigned long long)b);
}
static inline long long taut_mul(long long a, long long b) {
  return (long long)((unsigned long long)a * (unsigned long long)b);
}
static inline long long taut_div(long long a, long long b) {
  if (b == 0) { taut_fault = 1; return 0; }
  return b == -1 ? taut_sub(0, a) : a / b;
}
static inline long long taut_rem(long long a, long long b) {
  if (b == 0) { taut_fault = 1; return 0; }
  return b == -1 ? 0 : a % b;
}
static inline long long taut_shl(long long a, long long b) {
  if (b < 0 || b > 63) { taut_fault = 1; return 0; }
  return (long long)((unsigned long long)a << b);
}
static inline long long taut_shr(long long a, long long b) {
  if (b < 0 || b > 63) { taut_fault = 1; return 0; }
  return a >= 0 ? a >> b : ~(~a >> b);
}
static inline long long taut_index(long long i, long long size) {
  if (i < 0 || i >= size) { taut_fault = 1; return 0; }
  return i;
}
static inline long long taut_range(long long v, long long lo, long long hi) {
  if (v < lo || v > hi) { taut_fault = 1; return lo; }
  return v;
}
static inline long long taut_wrap(long long v, long long lo, long long hi) {
  unsigned long long size = (unsigned long long)hi - (unsigned long long)lo + 1, off;
  if (size == 0) return v;
  if (v >= lo) off = ((unsigned long long)v - (unsigned long long)lo) % size;
  else {
    off = ((unsigned long long)lo - (unsigned long long)v) % size;
    off = off == 0 ? 0 : size - off;
  }
  return (long long)((unsigned long long)lo + off);
}
