// Starts a real CLI with a planned command line, sends the planned handshake, and reports how it was taken.
// No model is needed for that.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createHookRegistry } from '../../src/answer/hooks/hook-registry.js';
import { checkOptions } from '../../src/options/check/check-options.js';
import { planLaunch, type LaunchPlan, type PlannedServers } from '../../src/options/launch/launch-plan.js';
import type { Options } from '../../src/options/options.js';
import { createIsolatedEnvironment } from '@inboard/inboard/testing.js';
import type { Cli } from '../../../../test/e2e/support/cli.js';

/** What starts a CLI: its file, or the JavaScript runtime with it. */
export function commandOf({ path }: Cli): [string, ...string[]] {
  return path.endsWith('.js') ? [process.execPath, path] : [path];
}

/** How a CLI took its command line and the handshake. */
export interface Opening {
  /** The answer to the handshake; undefined when the CLI ended without one. */
  reply: { subtype?: string; response?: Record<string, unknown> } | undefined;
  stderr: string;
  exitCode: number | null;
  /** Copies of settings in the folder for temporary files. */
  leftovers: string[];
}

/** Plans options for a real CLI and opens a session with the plan; the input ends after the handshake. */
export async function openWith(
  cli: Cli,
  options: Options,
  sdkServers: PlannedServers = {},
): Promise<Opening & { plan: LaunchPlan }> {
  await using home = await createIsolatedEnvironment({ baseUrl: 'http://127.0.0.1:9' });
  const given: Options = { ...options, env: home.env };
  checkOptions(given);
  const { declared } = createHookRegistry(given.hooks);
  const plan = planLaunch({ options: given, version: cli.version, hostEnv: {}, hooks: declared, sdkServers });
  const folder = await mkdtemp(join(tmpdir(), 'inboard-'));
  try {
    for (const file of plan.files) {
      const path = join(folder, file.name);
      await writeFile(path, file.content, { mode: 0o600 });
      file.place(path);
    }
    const opening = await open({ cli, plan, cwd: home.cwd });
    const leftovers = (await readdir(home.env['TMPDIR'] ?? '')).filter((name) => name.includes('settings'));
    return { plan, ...opening, leftovers };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function open(input: { cli: Cli; plan: LaunchPlan; cwd: string }): Promise<Omit<Opening, 'leftovers'>> {
  const { plan, cwd } = input;
  const [program, ...first] = commandOf(input.cli);
  const child = spawn(program, [...first, ...plan.args], { env: plan.env, cwd, stdio: 'pipe' });
  const ended = once(child, 'close');
  let stderr = '';
  child.stderr.on('data', (chunk) => (stderr += String(chunk)));
  // A CLI that refused its flags is gone before it reads.
  child.stdin.on('error', () => {});
  const request = { subtype: 'initialize', ...plan.initialize };
  child.stdin.write(`${JSON.stringify({ request_id: 'opening', type: 'control_request', request })}\n`);
  let reply: Opening['reply'];
  for await (const line of createInterface({ input: child.stdout })) {
    const frame = JSON.parse(line) as {
      type?: string;
      request_id?: string;
      request?: object;
      response?: object;
    };
    if (frame.type === 'control_request') {
      // In-process servers are not what is tried here; an error spares the CLI waiting for one.
      const response = { subtype: 'error', request_id: frame.request_id, error: 'not here' };
      child.stdin.write(`${JSON.stringify({ type: 'control_response', response })}\n`);
    }
    if (frame.type !== 'control_response') continue;
    reply = frame.response;
    child.stdin.end();
  }
  const [exitCode] = (await ended) as [number | null];
  return { reply, stderr, exitCode };
}
