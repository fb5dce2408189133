// What the programs share: the real CLI, kept at home, with a scripted model on loopback, and looking for processes.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createIsolatedEnvironment, startScriptedModel } from 'inboard/testing';

/** Runs `body` with options for a CLI and with its model; removes both. */
export async function onStage(script, body) {
  const model = await startScriptedModel({ script });
  try {
    const home = await createIsolatedEnvironment({ baseUrl: model.url });
    try {
      const { INBOARD_MATRIX_CLI: cli, INBOARD_MATRIX_EXECUTABLE: executable } = process.env;
      const options = {
        // The one of the project, unless the runner names another.
        ...(cli && { pathToClaudeCodeExecutable: cli }),
        ...(executable && { executable }),
        env: home.env,
        cwd: home.cwd,
        settingSources: [],
      };
      return await body({ options, model, home });
    } finally {
      await home.remove();
    }
  } finally {
    await model.close({ verify: false });
  }
}

/** Whether a process has not ended; a zombie that its parent has not collected yet has. */
export function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** Reads a query to its end; gives its messages. */
export async function readAll(query) {
  const messages = [];
  for await (const message of query) messages.push(message);
  return messages;
}

/** A running CLI's process id; fails when there is none. */
export function pidOf(query) {
  assert.ok(Number.isInteger(query.pid) && isRunning(query.pid), `no CLI runs (${query.pid})`);
  return query.pid;
}
