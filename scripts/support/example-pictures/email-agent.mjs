// The email agent with something to see: a listener has drafted a reply, which waits, and a conversation stands beside it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const PORT = 43_219;

/** Small enough to be kept. */
export const look = { scale: 1.25 };

/** Starts the example offline; a mail that asks something arrives, and a draft waits for a person. */
export async function prepare({ folder, dataDir }) {
  const { ANTHROPIC_API_KEY: _, ...env } = process.env;
  const child = spawn(process.execPath, ['--import', 'jiti/register', 'src/main.ts'], {
    cwd: folder,
    env: { ...env, PORT: String(PORT), DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  for await (const line of createInterface({ input: child.stdout }))
    if (line.startsWith('The page is at')) break;
  const url = `http://127.0.0.1:${PORT}`;
  const has = async (what) => what(await (await fetch(`${url}/api/state`)).json());
  const post = (path, body) => fetch(url + path, { method: 'POST', body: JSON.stringify(body) });
  await until(() => has(({ isWatching }) => isWatching));
  await post('/api/arrive', {});
  await until(() => has(({ runs }) => runs.some(({ state }) => state === 'done')));
  await post('/api/arrive', {});
  await until(() => has(({ drafts }) => drafts.length > 0));
  return {
    url,
    async close() {
      child.kill('SIGINT');
      await ended;
    },
  };
}

/** Asks the agent something in the page. */
export async function act(page) {
  await page.untilText('Is the impeller on its way?');
  await page.clickOn('#words');
  await page.type('What is in the attachment of the mail from Nadia?');
  await page.press('Enter');
  await page.untilText('gasket set');
  await page.clickOn('.mails button', 'Quote for the pump room');
  await page.untilText('rent one');
}

async function until(isSo) {
  const end = Date.now() + 30_000;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error('The email agent did not come to where it is photographed.');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
