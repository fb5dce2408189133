// A scripted model and the place of a CLI that asks it, in one: what a program needs to run its agent without an account.
import { rmSync } from 'node:fs';
import { randomUUID } from '@inboard/core/util/random-uuid.js';
import { createIsolatedEnvironment, type IsolatedEnvironmentOptions } from './isolated-environment.js';
import type { ScriptedModelOptions } from './scripted-model/model-answers.js';
import { startModelInBackground, type ScriptedModel } from './scripted-model/scripted-model.js';
import type { Step } from './script/reply.js';

/** Where the CLI keeps its files, and which variables it has. */
export type OfflineOptions = Omit<IsolatedEnvironmentOptions, 'baseUrl'>;

/** A running scripted model, and the options for queries that use it. Whoever started it closes it, after the CLIs have ended. */
export interface Offline extends AsyncDisposable {
  /** For `options`: the whole environment of the CLI, and the folder it works in. */
  readonly options: { readonly env: Record<string, string>; readonly cwd: string };
  readonly model: ScriptedModel;
  /** Ends the model and deletes what is temporary. Throws a `ScriptMismatchError` when something did not follow the script, unless told not to verify. */
  close(options?: { verify?: boolean }): Promise<void>;
}

// The CLI may still be writing its last file. What cannot be removed stays: thrown here, it would change the exit code.
function removeAtExit(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
  } catch {}
}

function isScript(given: ScriptedModelOptions | readonly Step[]): given is readonly Step[] {
  return Array.isArray(given);
}

/**
 * Lets the real CLI run without an account or a network: starts a scripted model on this machine, and makes an environment
 * in which the CLI talks only to it. Does not keep the process alive; the CLI that runs in it does.
 * @example
 * ```ts
 * await using offline = await startOffline([text('Hello from the script.')]);
 * assert.equal(
 *   (await run({ prompt: 'Hi', options: offline.options })).text,
 *   'Hello from the script.',
 * );
 * ```
 */
export async function startOffline(
  script: ScriptedModelOptions | readonly Step[],
  options: OfflineOptions = {},
): Promise<Offline> {
  const given: ScriptedModelOptions = isScript(script) ? { script } : script;
  // Conversations that are kept go on with the next model: an id that is used twice would confuse the CLI.
  const idMark = options.folder === undefined ? undefined : `scripted_${randomUUID().slice(0, 8)}`;
  const model = await startModelInBackground({ idMark, ...given });
  const home = await createIsolatedEnvironment({ ...options, baseUrl: model.url }).catch(async (error) => {
    await model.close({ verify: false });
    throw error;
  });
  // A program that is ended by `process.exit` has no other turn in which to clear up.
  const clearUp = (): void => removeAtExit(home.temporary);
  process.once('exit', clearUp);
  const remove = (): Promise<void> => {
    process.off('exit', clearUp);
    return home.remove();
  };
  return {
    options: { env: home.env, cwd: home.cwd },
    model,
    async close(closing) {
      try {
        await model.close(closing);
      } finally {
        await remove();
      }
    },
    async [Symbol.asyncDispose]() {
      try {
        await model[Symbol.asyncDispose]();
      } finally {
        await remove();
      }
    },
  };
}
