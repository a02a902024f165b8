chan q = [1] of { byte };
init { !full(q) -> q!1 }
