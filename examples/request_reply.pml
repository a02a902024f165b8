/*
 * A client asks, a server answers, over two flags in shared memory.
 *
 * Whoever asks is answered, in every run that is fair to processes and stores, under SC, TSO and PSO without
 * any fence. If a store may wait for ever (--fairness process), the server never sees the request, and goes
 * on with its other work.
 *
 * SPIN checks the same file, under SC: spin -a request_reply.pml, and then pan -a -f.
 */
bool request, reply;

active proctype client() {
	do
	:: request = true;
asked:	   reply;
progress_served:
	   request = false;
	   !reply
	od
}

active proctype server() {
	do
	:: request -> reply = true; !request; reply = false
	:: else /* other work */
	od
}

ltl answered { [] (client@asked -> <> client@progress_served) }
