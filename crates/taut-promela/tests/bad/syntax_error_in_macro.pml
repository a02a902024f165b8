#define LOCK(l) atomic { l == 0 -> l = }
byte lock;
init {
  LOCK(lock);
  lock = 0
}
