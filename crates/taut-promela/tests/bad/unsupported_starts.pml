typedef T { byte a[2] };
byte x;
proctype child(T t) { x = t.a[0] }
active proctype P() {
	byte late[2] = x;
	x = late[1]
}
