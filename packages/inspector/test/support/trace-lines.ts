// Lines of a trace, made by hand: a header, frames, an end.
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The header of a trace whose host is this process, or has ended. */
export function headerLine({ isRunning = false, startedAt = '2026-11-16T09:00:00.000Z' } = {}): string {
  return JSON.stringify({
    type: 'header',
    format: 'inboard-trace',
    version: 1,
    startedAt,
    inboard: '0.1.0',
    claudeCodeVersion: '2.1.325',
    pid: 4711,
    // No process has this number: systems end before it.
    hostPid: isRunning ? process.pid : 2 ** 30,
    cwd: '/work',
    runtime: 'node 20.20.2',
    platform: 'linux arm64',
  });
}

/** A frame of the CLI with a text. */
export function frameLine(t: number, text = `frame ${t}`): string {
  const message = { id: `m${t}`, role: 'assistant', model: 'm', content: [{ type: 'text', text }] };
  return JSON.stringify({ type: 'frame', t, dir: 'in', frame: { type: 'assistant', message } });
}

/** The last line. */
export function endLine(t: number, frames: number): string {
  return JSON.stringify({ type: 'end', t, exitCode: 0, signal: null, stderrTail: '', frames });
}

/** A folder for traces that a test writes, and removes. */
export class TraceFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'inboard-traces-'));

  /** Writes lines, each with its line feed, and a rest without one; gives the path. */
  write(name: string, lines: readonly string[], rest = ''): string {
    const file = join(this.path, name);
    writeFileSync(file, lines.map((line) => `${line}\n`).join('') + rest);
    return file;
  }

  append(name: string, text: string): void {
    appendFileSync(join(this.path, name), text);
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
