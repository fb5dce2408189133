// A server, the real CLI it starts, and a scripted model on loopback: from start to end, with nothing left behind.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createPlace } from '../matrix/run-program.mjs';
import { waitUntil } from '../support/wait-until.js';
import { startServer } from './servers.mjs';

/** The entry point of the packed package that scripts are written with. */
export function loadTesting(project) {
  const entryPoint = join(project, 'node_modules', 'inboard', 'dist', 'entry', 'testing.js');
  return import(pathToFileURL(entryPoint).href);
}

/**
 * Starts `server` in the project with a model that plays `script`, hands its address to `act`, and ends both. The act may
 * `crash()` the server: the next one has the same address, so that a page need only be loaded again. `listProcesses()` lists the
 * server and all that it started. Throws when the act fails, when the script was not played to its end, or when a process is
 * left.
 */
export async function serveOffline({ project, place: folder, server, script, env }, act) {
  const { startOffline } = await loadTesting(project);
  const place = createPlace(folder);
  const offline = await startOffline(script);
  const start = (port) =>
    startServer(server, project, { ...offline.options.env, ...place.env, ...env }, port);
  let isFine = false;
  try {
    let running = await start();
    const crash = async () => {
      await running.kill();
      // What it had started ends with it, a moment later.
      await waitUntil(() => place.listProcesses().length === 0);
      running = await start(running.port);
    };
    try {
      await act({ api: running.api, crash, listProcesses: () => place.listProcesses() });
    } catch (error) {
      throw new Error(`${error.message}\nThe server said: ${running.said()}`, { cause: error });
    } finally {
      await running.close();
    }
    await place.expectEmpty({ mayLeaveFiles: true });
    isFine = true;
  } finally {
    place.remove();
    // What went wrong first is the news.
    await offline.close({ verify: isFine });
  }
}
