chan c; 
active proctype p() { c!1 }
