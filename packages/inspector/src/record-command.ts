// The command that runs this program again and records it, for a page whose program has ended.
import { relative } from 'node:path';

/** The program of a process. */
export interface StartedCommand {
  argv: readonly string[];
  execArgv: readonly string[];
  cwd: string;
  platform: NodeJS.Platform;
}

/** Writes the command for a shell. Options and arguments are left out, because they may be long or secret. */
export function describeRecordCommand(
  redact: (text: string) => string,
  { argv, execArgv, cwd, platform }: StartedCommand = {
    argv: process.argv,
    execArgv: process.execArgv,
    cwd: process.cwd(),
    platform: process.platform,
  },
): string {
  const [, script, ...more] = argv;
  const path = script === undefined ? '…' : quote(relative(cwd, script) || script);
  const options = execArgv.length > 0 ? ' …' : '';
  const command = redact(`node${options} ${path}${more.length > 0 ? ' …' : ''}`);
  // PowerShell has no variables in front of a command.
  return platform === 'win32'
    ? `$env:INBOARD_TRACE='run.jsonl'; ${command}`
    : `INBOARD_TRACE=run.jsonl ${command}`;
}

function quote(path: string): string {
  return /^[\w./\\:@-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
