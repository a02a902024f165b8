active proctype P() { P@L; Q@L; L: P@L }
active proctype Q() { P@L; L: skip }
