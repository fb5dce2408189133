// Starts a scripted model together with an isolated environment for the CLI, so that a program can run its agent without an
// account.
import { rmSync } from 'node:fs';
import { randomUUID } from '@inboard/core/util/random-uuid.js';
import { createIsolatedEnvironment, type IsolatedEnvironmentOptions } from './isolated-environment.js';
import type { ScriptedModelOptions } from './scripted-model/model-answers.js';
import { startModelInBackground, type ScriptedModel } from './scripted-model/scripted-model.js';
import type { Step } from './script/reply.js';

/** Where the CLI keeps its files, and which variables it has. */
export type OfflineOptions = Omit<IsolatedEnvironmentOptions, 'baseUrl'>;

/**
 * A running scripted model, and the options for queries that use it. Whoever calls `startOffline` must close it after
 * the CLIs have ended.
 */
export interface Offline extends AsyncDisposable {
  /** Options for a query: the whole environment of the CLI, and the folder it works in. */
  readonly options: { readonly env: Record<string, string>; readonly cwd: string };
  readonly model: ScriptedModel;
  /**
   * Ends the model and deletes the temporary folder. Throws a `ScriptMismatchError` if the run did not follow the
   * script, unless `verify` is false.
   */
  close(options?: { verify?: boolean }): Promise<void>;
}

// One listener for all folders: Node warns of a leak where a process has eleven.
const folders = new Set<string>();

// Removes the folders, although a CLI may still be writing its last file. A folder that cannot be removed stays, because an
// error here would change the exit code.
function removeAll(): void {
  for (const folder of folders)
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
    } catch {}
}

function removeAtExit(folder: string): void {
  if (folders.size === 0) process.on('exit', removeAll);
  folders.add(folder);
}

function keepAtExit(folder: string): void {
  folders.delete(folder);
  if (folders.size === 0) process.off('exit', removeAll);
}

function isScript(given: ScriptedModelOptions | readonly Step[]): given is readonly Step[] {
  return Array.isArray(given);
}

/**
 * Lets the real CLI run without an account or a network. It starts a scripted model on this machine, and makes an
 * environment in which the CLI talks only to that model. The model does not keep the process alive, but a running CLI
 * does.
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
  // In a folder that is kept, conversations continue with the next model. Ids must not repeat, because that would
  // confuse the CLI.
  const idMark = options.folder === undefined ? undefined : `scripted_${randomUUID().slice(0, 8)}`;
  const model = await startModelInBackground({ idMark, ...given });
  const home = await createIsolatedEnvironment({ ...options, baseUrl: model.url }).catch(async (error) => {
    await model.close({ verify: false });
    throw error;
  });
  // A program that ends by `process.exit` can only clean up in its `exit` event.
  removeAtExit(home.temporary);
  const remove = (): Promise<void> => {
    keepAtExit(home.temporary);
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
