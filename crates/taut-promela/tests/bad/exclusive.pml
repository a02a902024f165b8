chan c = [1] of { byte };
active proctype P() { xr c; c?1 }
active proctype Q() {
	xr c;
	if
	:: c?1
	:: else
	fi
}
