chan c = [1] of { byte };
active proctype P() {
	do
	:: c?1
	:: else -> break
	od
}
