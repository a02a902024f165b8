# The macros of parameterised DVE models. Lines that begin with # are left out and the rest is joined to one
# line, so that the lines of the model are counted as its author counts them.

divert(-1)
changecom(`//')

# Parameters and loops.
define(`default', `ifdef(`$1', `', `define(`$1', `$2')')')
define(`forloop', `ifelse(eval(($2) <= ($3)), 1,
  `pushdef(`$1', `$2')$4`'popdef(`$1')forloop(`$1', incr($2), `$3', `$4')')')
define(`myloop', `forloop(`$1', `$2', decr($3), `$4 $5')pushdef(`$1', `$3')$4 popdef(`$1')')
define(`forallx', `forloop(`x', 0, decr(N), `$1')')

define(`bool', `byte')
define(`true', 1)
define(`false', 0)

# Stacks and queues: an array and the number of elements in use; free elements are 0.
define(`stack', `byte $1[$2]; byte $1_act = 0; define(`$1_size', `$2')')
define(`queue', `stack(`$1', `$2')')
define(`full', `$1_act == $1_size')
define(`empty', `$1_act == 0')
define(`push', `$1[$1_act] = $2, $1_act = $1_act + 1')
define(`pop', `$1[$1_act - 1] = 0, $1_act = $1_act - 1')
define(`top', `$1[$1_act - 1]')
define(`front', `$1[0]')
define(`pop_front', `forloop(`i', 0, decr(decr($1_size)), `$1[i] = $1[incr(i)], ')
 $1[decr($1_size)] = 0, $1_act = $1_act - 1')

# Channels with a process in the middle. Who writes c! and c? means c_in! and c_out?; that is put right in the
# expanded text, for which the names are listed at its end.
define(`taut_channels', `')
define(`taut_processes', `')
define(`taut_channel', `channel $1_in, $1_out;define(`taut_channels', defn(`taut_channels')` $1')
define(`taut_processes', defn(`taut_processes')`process channel_$1 { $2 } ')')
define(`buffer_channel', `taut_channel(`$1', `queue(`buf', `$2') state q; init q; trans
  q -> q { guard not (full(`buf')); sync $1_in?buf[buf_act]; effect buf_act = buf_act + 1; },
  q -> q { guard not (empty(`buf')); sync $1_out!buf[0]; effect pop_front(`buf'); };')')
define(`async_channel', `taut_channel(`$1', `byte v; state ready, tr; init ready; trans
  ready -> tr { sync $1_in?v; }, tr -> ready { sync $1_out!v; };')')
define(`loosy_channel', `taut_channel(`$1', `byte v; state ready, tr; init ready; trans
  ready -> tr { sync $1_in?v; }, tr -> ready { }, tr -> ready { sync $1_out!v; };')')
define(`bounded_loosy_channel', `taut_channel(`$1', `byte v, lost = 0; state ready, tr; init ready; trans
  ready -> tr { sync $1_in?v; }, tr -> ready { guard lost < $2; effect lost = lost + 1; },
  tr -> ready { sync $1_out!v; effect lost = 0; };')')
define(`system', `taut_processes`'define(`taut_processes', `')`system'')
m4wrap(`ifelse(taut_channels, `', `', `@channels`'taut_channels')')
divert(0)`'
