// Starts a model that plays a script, for runs without an account. The script is a module or a JSON file with the steps, or
// with all options, for `startScriptedModel`. The CLI then runs in an isolated environment.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ScriptMismatchError } from '@inboard/core/errors.js';
import {
  startOffline,
  type Offline,
  type ScriptedModelOptions,
  type Step,
} from '@inboard/inboard/testing.js';
import { loadModule } from '../tools-file/load-module.js';
import { CommandError } from '../terminal/usage-error.js';

/** `file` is relative to `cwd`. Throws a CommandError if the file has no script. */
export async function loadOfflineModel(file: string, cwd: string): Promise<Offline> {
  return startOffline(await readScript(file, cwd));
}

/**
 * Closes the model after a run that succeeded. Calls `onLeft` with a sentence for each place where steps of the script are
 * left. Throws a ScriptMismatchError if a request was not in the script.
 */
export async function closeAndListLeft(offline: Offline, onLeft: (sentence: string) => void): Promise<void> {
  try {
    await offline.close();
  } catch (error) {
    const isAnswered = offline.model.requests.every(
      ({ outcome }) => outcome !== 'unexpected' && outcome !== 'failed',
    );
    if (!(error instanceof ScriptMismatchError) || !isAnswered) throw error;
    for (const problem of error.problems) onLeft(problem);
  }
}

async function readScript(file: string, cwd: string): Promise<ScriptedModelOptions> {
  const exported = file.endsWith('.json')
    ? await readJson(resolve(cwd, file))
    : readExport(await loadModule(file, cwd));
  if (Array.isArray(exported)) return { script: exported as Step[] };
  if (typeof exported === 'object' && exported !== null) return exported;
  throw new CommandError(
    'NO_SCRIPT',
    `${file} exports no script. Export a list of steps, such as [toolUse(…), text(…)], as default or "script".`,
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
