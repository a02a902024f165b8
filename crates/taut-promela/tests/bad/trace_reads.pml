chan q = [2] of { byte };
byte y;
active proctype P() { q!1; q?y; q!len(q) }
trace { do :: q!1; q?eval(y) od }
