proctype Q() priority 0 { skip }
init priority 256 { run Q() priority 1000; run Q() priority 255 }
