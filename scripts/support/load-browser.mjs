// The browser driver of the tests, for scripts: started, with the project's own name for what is missing.
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'rolldown';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Starts a browser; its driver is built into `folder`. Throws when there is none. */
export async function startBrowser(folder) {
  const file = join(folder, 'browser.mjs');
  await build({
    cwd: root,
    logLevel: 'warn',
    platform: 'node',
    input: join(root, 'test', 'browser', 'support', 'browser.ts'),
    output: { file, format: 'esm' },
  });
  const { Browser, findBrowser } = await import(pathToFileURL(file).href);
  const path = findBrowser();
  if (path === undefined) throw new Error('No browser was found. Install chromium, or set INBOARD_BROWSER.');
  return Browser.start(path);
}
