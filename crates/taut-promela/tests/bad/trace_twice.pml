chan q = [1] of { byte };
trace { q!1 }
notrace { q?1 }
init { q!1 }
