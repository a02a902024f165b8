byte a[2], b[2];
active proctype P() {
	a[a[0]] = 1;
	a[b[a[0]]] = 1;
	a[a[0] + 1] = 1;
	b[a[0]] = a[a[1]]
}
