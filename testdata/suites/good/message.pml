/* A message that is published by a flag. TSO keeps the order of the two stores, PSO does not.
 *
 * expect: sc holds
 * expect: tso holds
 * expect: pso violated
 * options: -D MESSAGE=7 --bound 4
 */
int data = 0;
bool ready = false;

active proctype sender() {
  data = MESSAGE;
  ready = true
}

active proctype receiver() {
  ready;
  assert(data == MESSAGE)
}
