#include "cycle.h"
init { skip }
