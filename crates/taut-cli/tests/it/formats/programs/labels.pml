/* A cycle without progress, and one through an accept label. */
byte x;
active proctype p() {
	do
	:: x = 0; accept: x = 0
	:: x = 1; progress: x = 0
	od
}
