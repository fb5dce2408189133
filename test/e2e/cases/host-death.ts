// After the death of its host, nothing is left of a CLI: none of the processes it started, and no process that asks the model.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { Options } from '../../../packages/core/src/options/options.js';
import { createDeferred } from '../../../packages/core/src/util/deferred.js';
import { buildSource, type BuiltSource } from '../../support/build-source.js';
import { isRunning } from '../../support/is-running.js';
import { waitUntil } from '../../support/wait-until.js';
import type { CaseSet } from '../support/cases.js';
import type { Cli } from '../support/cli.js';
import { launchCli, readHost, toolUse } from '../support/inboard.js';
import { onStage, type Stage } from '../support/stage.js';

const HOST = fileURLToPath(new URL('../../fixtures/children/agent-host.mjs', import.meta.url));
const STDIO_SERVER = fileURLToPath(new URL('../support/stdio-server.mjs', import.meta.url));

let built: BuiltSource | undefined;

/** Removes the sources that hosts were run from. */
export function removeBuiltHost(): void {
  built?.remove();
  built = undefined;
}

// A command in the background, one that lost its parent in a session of its own, then a call that waits for the host; what
// comes after that is asked by a CLI without a host.
const BACKGROUND = { command: 'sleep 7301', description: 'waits', run_in_background: true };
const ADOPTED = {
  command: 'setsid sh -c "sleep 7302 & exec sleep 7303" >/dev/null 2>&1 & sleep 0.2; echo started',
  description: 'leaves something behind',
};
const ONWARD = Array.from({ length: 50 }, () =>
  toolUse('Bash', { command: 'echo on', description: 'goes on' }),
);

// How often the model may still be asked. After an orderly exit the CLI has up to two seconds to write down what it has, and
// goes on meanwhile, as far as a slow machine lets it; it must not come to the end of its script.
const MOST_QUESTIONS = { SIGKILL: 1, exit: ONWARD.length - 1 };

async function endWithHost(cli: Cli, { end }: { end: 'SIGKILL' | 'exit' }): Promise<void> {
  built ??= buildSource('inboard/src/index.ts');
  const { folder } = built;
  const script = [
    toolUse('Bash', BACKGROUND),
    toolUse('Bash', ADOPTED),
    toolUse('mcp__home__hold', {}),
    ...ONWARD,
  ];
  await onStage(cli, { script }, async (stage) => {
    const options = {
      ...stage.options(),
      allowedTools: ['Bash', 'mcp__home__hold'],
      mcpServers: { outside: { type: 'stdio', command: process.execPath, args: [STDIO_SERVER] } },
    };
    const args = [HOST, folder, JSON.stringify(options), end === 'exit' ? 'exit' : 'stay'];
    const host = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const exited = once(host, 'exit');
    let below: number[] = [];
    try {
      const [said] = (await Promise.race([once(host.stdout, 'data'), exited])) as [unknown];
      expect(String(said)).toBe('held\n');
      below = listBelow(stage);
      // The CLI, its server, a shell with its command, and two that lost theirs.
      if (end === 'SIGKILL') expect(below.length).toBeGreaterThanOrEqual(6);
      const asked = stage.model.requests.length;
      if (end === 'SIGKILL') host.kill('SIGKILL');
      await exited;
      await waitUntil(() => !below.some(isRunning) && listBelow(stage).length === 0);
      expect(stage.model.requests.length - asked).toBeLessThanOrEqual(MOST_QUESTIONS[end]);
    } finally {
      host.kill('SIGKILL');
      for (const pid of below.filter(isRunning)) process.kill(pid, 'SIGKILL');
    }
    throw new StageOver();
  }).catch((error: unknown) => {
    if (!(error instanceof StageOver)) throw error;
  });
}

/** The rest of the script is there to be asked for, so the stage must not miss it. */
class StageOver extends Error {}

/** Everything that has the stage's config folder in its environment: the CLI and all it started, but not the host. */
function listBelow({ home }: Stage): number[] {
  return readdirSync('/proc').flatMap((name) => {
    try {
      const environment = /^\d+$/.test(name) ? readFileSync(`/proc/${name}/environ`, 'latin1') : '';
      return environment.includes(home.configDir) && isRunning(Number(name)) ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}

async function leaveWithoutPrompt(cli: Cli): Promise<void> {
  await onStage(cli, {}, async (stage) => {
    const launched = await launchCli({
      options: stage.options() as Options,
      host: readHost(),
      onFault: () => {},
      onWarning: () => {},
    });
    const answered = createDeferred<void>();
    const ended = createDeferred<unknown>();
    const { transport } = launched;
    transport.open({
      line: (text) => {
        if (text.includes('control_response')) answered.resolve();
      },
      fault: () => {},
      closed: (end) => ended.resolve(end),
    });
    const request = { subtype: 'initialize', ...launched.initialize };
    transport.write(JSON.stringify({ type: 'control_request', request_id: 'r1', request }));
    await answered.promise;
    // Not `terminate`, which would send signals after a while: a dead host cannot do that.
    transport.endInput();
    expect(await ended.promise).toMatchObject({ exitCode: 0, signal: null });
    launched.discard();
  });
}

export const hostDeathCases: CaseSet = {
  'is gone with all it started when its host is killed': (cli) => endWithHost(cli, { end: 'SIGKILL' }),
  'is gone with all it started when its host exits': (cli) => endWithHost(cli, { end: 'exit' }),
  'leaves at the end of its input when it has only its handshake': leaveWithoutPrompt,
};
