// The guardian's program, for `/bin/sh`. It reads the list of children from its input. The input ends when the host dies.
// Then the program ends the children and everything that they started.

/** Milliseconds of one tick, the unit in which the guardian counts grace periods. */
export const GUARDIAN_TICK_MS = 100;

/** How many ticks a child without a grace period of its own may take to exit after an orderly exit of the host. */
const EXIT_TICKS = 20;

// Finding every process is not easy. The CLI gives each shell command a session of its own, and a process that a command
// leaves in the background gets another parent. So the program ends every process that is in the group of a child, is
// below a child, or has the child's mark in its environment. The last works only on Linux: `ps` on macOS shows no
// environment. (The program has not been run on macOS.) It first stops all of them, until it finds no more, and then
// kills them. A stopped process starts no other, and its children keep their parent.

// `parents` is a list of words in pairs: "/proc/12/status:PPid:" or "/proc/12", then the id of the parent. Each list is
// made by one command, because starting processes takes time on a loaded machine. "kill -TERM -n" has no "--", because
// dash would take that for a process. Slim images have no ps, so only builtins, grep, sed, sleep and (on macOS) ps are
// used.
export const GUARDIAN_SCRIPT = `
trap '' PIPE HUP INT
children=
leaving=
echo ready
while read -r word pid mark ticks; do
  case $word in
    +) children="$children $pid:$mark:$ticks" ;;
    -) kept=
       for child in $children; do
         case $child in "$pid":*) ;; *) kept="$kept $child" ;; esac
       done
       children=$kept ;;
    exit) leaving=yes ;;
  esac
done

exec 2>/dev/null
list_marked() {
  marked=
  [ -r /proc/self/environ ] && marked=$(grep -lF $marks /proc/[0-9]*/environ)
}
list_parents() {
  if [ -r /proc/self/status ]
  then parents=$(grep '^PPid:' /proc/[0-9]*/status)
  else parents=$(ps -A -o pid= -o ppid= | sed 's,^ *,/proc/,')
  fi
}
is_found() { case $found in *" $1 "*) return 0 ;; esac; return 1; }
take() {
  [ "$1" -gt 1 ] && [ "$1" != $$ ] && ! is_found "$1" || return 1
  kill -STOP "$1"
  found="$found$1 "
  grown=yes
}
find_all() {
  found=" "
  grown=yes
  while [ "$grown" ]; do
    grown=
    list_marked
    for pid in $roots; do take "$pid"; done
    for file in $marked; do file=\${file#/proc/}; take "\${file%%/*}"; done
    [ "$found" = " " ] && return 1
    list_parents
    spreading=yes
    while [ "$spreading" ]; do
      spreading=
      for word in $parents; do
        case $word in
          /*) pid=\${word#/proc/}; pid=\${pid%%/*} ;;
          *) is_found "$word" && take "$pid" && spreading=yes ;;
        esac
      done
    done
  done
  return 0
}
end_all() {
  roots=
  marks=
  for child in "$@"; do
    pid=\${child%%:*}
    mark=\${child#*:}
    marks="$marks -e \${mark%:*}"
    kill -STOP "-$pid" && roots="$roots $pid"
  done
  rounds=0
  while [ $rounds -lt 9 ] && find_all; do
    for pid in $roots; do kill -KILL "-$pid"; done
    for pid in $found; do kill -KILL "$pid"; done
    roots=
    rounds=$((rounds + 1))
  done
}

if [ "$leaving" ]; then
  asked=
  for child in $children; do
    case $child in *:0) kill -TERM "-\${child%%:*}"; child="\${child%:*}:${EXIT_TICKS}" ;; esac
    asked="$asked $child"
  done
  children=$asked
fi
tick=0
while [ "$children" ]; do
  due=
  later=
  for child in $children; do
    if [ "\${child##*:}" -gt $tick ] && kill -0 "-\${child%%:*}"
    then later="$later $child"
    else due="$due $child"
    fi
  done
  [ "$due" ] && end_all $due
  children=$later
  [ "$children" ] && { sleep 0.1 || { sleep 1; tick=$((tick + 9)); }; }
  tick=$((tick + 1))
done
exit 0
`;
