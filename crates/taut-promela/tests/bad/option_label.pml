byte g;
active proctype P() {
	do
	:: again: g < 2 -> g++
	:: g == 2 -> break
	od;
	goto again
}
