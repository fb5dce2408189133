// What the tests share: a folder for the notes, and the tools file as others start it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after } from 'node:test';

const manifest = createRequire(import.meta.url).resolve('inboard/package.json');

/** The words after `node` that serve the tools, as `npx inboard serve src/tools.ts` does. */
export const SERVE = [
  join(manifest, '..', 'dist', 'cli', 'main.js'),
  'serve',
  join(import.meta.dirname, '..', 'src', 'tools.ts'),
];

/** A folder for one file of tests, removed when they are over. The processes that they start use it, too. */
export function useFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'notes-'));
  process.env['DATA_DIR'] = folder;
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Starts `inboard serve --http` on a free port. The caller closes it. */
export async function serveHttp(env: Record<string, string>) {
  const child = spawn(process.execPath, [...SERVE, '--http', '--port', '0'], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const close = async (): Promise<void> => {
    child.kill('SIGTERM');
    await exited;
  };
  for await (const line of createInterface({ input: child.stdout })) {
    const [url] = /http:\S+/.exec(line) ?? [];
    if (url !== undefined) return { url, close };
  }
  throw new Error('The server ended before it printed its address.');
}
