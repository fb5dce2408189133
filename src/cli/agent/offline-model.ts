// A model that plays a script, for runs without an account: the script is a module that exports the steps of
// `startScriptedModel`, or JSON. The CLI then runs in an isolated environment.
import { rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import {
  createIsolatedEnvironment,
  startScriptedModel,
  type ScriptedModelOptions,
  type Step,
} from '../../doors/testing.js';
import { loadModule } from '../tools-file/load-module.js';
import { CommandError } from '../terminal/usage-error.js';

/** A scripted model and the environment of a CLI that asks it. */
export interface OfflineModel {
  readonly url: string;
  readonly env: Record<string, string>;
  /** An empty folder to work in. */
  readonly cwd: string;
  /** Ends it and clears up. Throws a ScriptMismatchError when the run did not go by the script, unless told not to verify. */
  close(options?: { verify?: boolean }): Promise<void>;
}

/** Starts a model that plays the script in a file. */
export async function loadOfflineModel(file: string, cwd: string): Promise<OfflineModel> {
  return startOfflineModel(await readScript(file, cwd));
}

/** Starts a model that plays a script. */
export async function startOfflineModel(script: ScriptedModelOptions): Promise<OfflineModel> {
  const model = await startScriptedModel(script);
  const home = await createIsolatedEnvironment({ baseUrl: model.url });
  // A second Ctrl-C ends the process without another turn.
  const clearUp = (): void => rmSync(dirname(home.cwd), { recursive: true, force: true });
  process.once('exit', clearUp);
  return {
    url: model.url,
    env: home.env,
    cwd: home.cwd,
    async close(options) {
      try {
        await model.close(options);
      } finally {
        process.off('exit', clearUp);
        await home.remove();
      }
    },
  };
}

async function readScript(file: string, cwd: string): Promise<ScriptedModelOptions> {
  const exported = file.endsWith('.json')
    ? await readJson(resolve(cwd, file))
    : readExport(await loadModule(file, cwd));
  if (Array.isArray(exported)) return { script: exported as Step[] };
  if (typeof exported === 'object' && exported !== null) return exported;
  throw new CommandError(
    'NO_SCRIPT',
    `${file} has no script: export a list of steps, such as [toolUse(…), text(…)], as default or "script".`,
  );
}

function readExport(exported: Record<string, unknown>): unknown {
  return exported['default'] ?? exported['script'];
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw new CommandError('NO_SCRIPT', `${path} could not be read as JSON: ${String(error)}`, {
      cause: error,
    });
  }
}
