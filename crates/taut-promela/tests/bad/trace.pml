chan q = [1] of { byte };
trace { do :: q!1 od }
init { q!1 }
