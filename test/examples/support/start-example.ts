// Starts an example as a separate program for a browser: offline, with its own data folder and port.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { findPort } from '../../../scripts/support/free-port.mjs';

/** Starts an example and gives the address it prints; it ends with the test. `program` is the one that serves its page. */
export async function startExample(name: string, program = 'src/main.ts'): Promise<string> {
  const data = await mkdtemp(join(tmpdir(), `${name}-`));
  const child = spawn(process.execPath, ['--import', 'jiti/register', program], {
    cwd: join(process.env['INBOARD_EXAMPLES_DIR'] ?? 'examples', name),
    // Not every example prints the port it was given by the system.
    env: { ...process.env, ANTHROPIC_API_KEY: '', PORT: String(await findPort()), DATA_DIR: data },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const gone = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await gone;
    await rm(data, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  });
  for await (const line of createInterface(child.stdout)) {
    const url = /http:\/\/\S+/.exec(line)?.[0];
    if (url !== undefined) return url;
  }
  throw new Error(`${name} did not start`);
}
