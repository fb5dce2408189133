// The guardian: one small shell process per host, which ends the host's children when the host is dead (POSIX). It reads
// from a pipe whose end of file means just that. While the host lives, `terminate` ends children.
import { spawn } from 'node:child_process';
import type { Writable } from 'node:stream';

const MAX_FAILURES = 3;

// Reads "+group" and "-group". At end of file: two seconds to exit unasked (the CLI sees the end of its own input),
// SIGTERM, three seconds, SIGKILL. Whole seconds, since not every sleep takes fractions; "kill -TERM -n" without "--"
// because dash takes "--" for a process there.
const GUARDIAN_SCRIPT = `
groups=" "
while read -r line; do
  group="\${line#?}"
  case "$line" in
    +*) groups="$groups$group " ;;
    -*) case "$groups" in
          *" $group "*) groups="\${groups%%" $group "*} \${groups#*" $group "}" ;;
        esac ;;
  esac
done
alive() {
  left=" "
  for group in $groups; do kill -0 "-$group" 2>/dev/null && left="$left$group "; done
  groups="$left"
  [ "$groups" != " " ]
}
wait_for_end() {
  seconds=0
  while alive; do
    [ "$seconds" -ge "$1" ] && return 1
    sleep 1
    seconds=$((seconds + 1))
  done
}
send() { for group in $groups; do kill "-$1" "-$group" 2>/dev/null; done; }
wait_for_end 2 && exit 0
send TERM
wait_for_end 3 && exit 0
send KILL
exit 0
`;

/** The process groups that must not outlive this process, and the shell that is kept informed of them. */
export class Guardian {
  readonly #groups = new Set<number>();
  #input: Writable | undefined;
  #failures = 0;
  readonly #shell: string;

  constructor(shell: string) {
    this.#shell = shell;
  }

  add(group: number): void {
    this.#groups.add(group);
    if (this.#input) this.#input.write(`+${group}\n`);
    else this.#start();
  }

  remove(group: number): void {
    if (this.#groups.delete(group)) this.#input?.write(`-${group}\n`);
  }

  #start(): void {
    if (this.#failures >= MAX_FAILURES) return;
    try {
      const guardian = spawn(this.#shell, ['-c', GUARDIAN_SCRIPT, 'inboard-guardian'], {
        // A session of its own: Ctrl+C at the terminal must not end it before the host.
        detached: true,
        // It must not keep a folder from being unmounted.
        cwd: '/',
        env: { PATH: `${process.env['PATH'] ?? ''}:/usr/bin:/bin` },
        stdio: ['pipe', 'ignore', 'ignore'],
      });
      const input = guardian.stdin;
      const lose = (): void => {
        if (this.#input === input) this.#restart();
      };
      guardian.once('error', lose);
      guardian.once('exit', lose);
      // A write to a guardian that was killed; its exit is emitted as well.
      input.on('error', lose);
      guardian.unref();
      (input as Writable & { unref?: () => void }).unref?.();
      this.#input = input;
      for (const group of this.#groups) input.write(`+${group}\n`);
    } catch {
      // No process or file handle is left. The children still see the end of their input when the host dies.
      this.#failures += 1;
      this.#input = undefined;
    }
  }

  #restart(): void {
    this.#input = undefined;
    this.#failures += 1;
    if (this.#groups.size > 0) this.#start();
  }
}
