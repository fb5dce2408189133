# What stages need of the machine: a network namespace that has loopback only, a browser, servers. Sourced by .ci/run, whose
# print_header and run_limited it uses.
# shellcheck shell=bash

# What runs inside the namespace: loopback comes up first. IPv6 loopback comes with it.
readonly bring_up='ip link set lo up && exec "$@"'
readonly probe_loopback='
  const server = require("node:net").createServer((socket) => socket.end());
  server.listen(0, "127.0.0.1", () => {
    require("node:net").connect(server.address().port, "127.0.0.1").resume().on("close", () => server.close());
  });
'

network='plain'
offline=()
# Whether a root in the namespace is root outside of it, and can be another user there: servers do not run as root.
can_change_user=no
choose_network() {
  local kind
  command -v unshare >/dev/null 2>&1 || return 0
  command -v ip >/dev/null 2>&1 || return 0
  for kind in -n -rn; do
    if run_limited 30 unshare "$kind" -- sh -c "$bring_up" sh node -e "$probe_loopback" >/dev/null 2>&1; then
      network="offline namespace"
      offline=(unshare "$kind" -- sh -c "$bring_up" sh)
      [[ $kind == -n ]] && can_change_user=yes
      return 0
    fi
  done
}

# The browser of the page tests: one that is there, or Debian's.
provide_browser() {
  provide chromium chromium chromium-browser google-chrome
}

# Where there can be one, a test that finds none fails; else it says so and is left out.
require_browser() {
  if provide_browser; then
    export INBOARD_REQUIRE_BROWSER=1
  else
    printf 'No Chromium, and none could be installed: pages are not opened.\n'
  fi
}

# Debian keeps its programs out of the PATH.
provide_wine() {
  [[ -x /usr/lib/wine/wine64 ]] || provide wine64 wine64
}

# Mail servers that others wrote, for the example that reads and sends mail. Where packages can be installed, they must be there.
provide_mail_servers() {
  if provide dovecot-imapd dovecot && provide python3-aiosmtpd aiosmtpd || command -v apt-get >/dev/null 2>&1; then
    export INBOARD_REQUIRE_MAIL_SERVERS=1
  else
    printf 'No Dovecot or aiosmtpd, and none could be installed: mail is read from the embedded server alone, without TLS.\n'
  fi
}

# The servers of the cluster's tests, and the clock that chaos sets wrong. PostgreSQL's own programs are in no PATH.
provide_services() {
  local found=yes
  [[ -n ${INBOARD_PGBIN:-} ]] || compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null || provide postgresql initdb || found=no
  provide redis-server redis-server || found=no
  compgen -G '/usr/lib/*/faketime/libfaketimeMT.so.1' >/dev/null || provide libfaketime libfaketimeMT.so.1 \
    || printf 'No libfaketime, and none could be installed: clocks stay right.\n'
  # Its program for alert rules; the server itself is not started.
  if provide prometheus promtool; then
    export INBOARD_REQUIRE_PROMTOOL=1
  else
    printf 'No promtool, and none could be installed: alert rules are not tried.\n'
  fi
  provide tini tini || printf 'No tini, and none could be installed: programs are the first process of their container.\n'
  [[ $found == yes ]]
}

# provide <Debian package> <program...>: one of the programs is there, or the package is installed.
provide() {
  local package=$1 name
  shift
  for name in "$@"; do
    command -v "$name" >/dev/null 2>&1 && return 0
  done
  command -v apt-get >/dev/null 2>&1 || return 1
  print_header "Installing $package"
  run_limited 240 sh -c "$install_package" sh "$package" >/dev/null 2>&1
}

# A mirror that does not answer at once, and another program that has the lock, are no reason to do without.
readonly install_package='
  patient="-o Acquire::Retries=3 -o DPkg::Lock::Timeout=120"
  for attempt in 1 2; do
    apt-get $patient update -qq && apt-get $patient install -y -qq --no-install-recommends "$1" && exit 0
  done
  exit 1
'
