typedef t { byte a; byte list[2] };
typedef u { byte a };
chan c = [1] of { byte };
chan d = [1] of { t };
chan e = [0] of { t };
active proctype P() {
	byte i, a[2];
	t s;
	u other;
	for (a[0] : 1 .. 2) { skip };
	for (s.a : 1 .. 2) { skip };
	select (a[0] : 1 .. 2);
	for (i in c) { skip };
	for (other in d) { skip };
	for (s in e) { skip };
	for (i in s.list) { skip };
	for (s in d) { skip };
	for (i : 3 .. 1) { skip };
	select (i : 3 .. 1)
}
