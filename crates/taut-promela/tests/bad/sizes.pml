int a[0];
chan q = [300] of { byte };
active [0] proctype P() { skip }
