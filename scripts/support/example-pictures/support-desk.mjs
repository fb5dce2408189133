// Brings the support desk into the state its README shows: the worker that searched for a parcel was killed, another one has
// taken over, and a refund waits for an answer.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

const PORT = 4392;

export const look = { width: 1280, height: 760, scale: 1.25 };

export async function prepare({ folder, dataDir }) {
  const child = spawn(process.execPath, ['--import', 'jiti/register', 'src/main.ts'], {
    cwd: folder,
    env: {
      ...process.env,
      PORT: String(PORT),
      DATA_DIR: dataDir,
      ANTHROPIC_API_KEY: '',
      DATABASE_URL: '',
      SHELF_MS: '700',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  await once(child.stdout, 'data');
  const base = `http://127.0.0.1:${PORT}`;
  const say = async (customer, text) =>
    (await send(base, '/api/conversations/new/messages', { customer, text })).key;
  await say('Cleo', 'Is A-100 there yet?');
  await say('Bo', 'What about order A-101?');
  const key = await say('Ann', 'Where is my order A-102?');
  await until(
    base,
    `/api/conversations/${key}/events`,
    ({ message }) => message?.type === 'assistant' && JSON.stringify(message).includes('search_warehouse'),
  );
  const { conversations } = await until(base, '/api/desk', () => true);
  const { owner } = conversations.find((each) => each.key === key);
  await send(base, `/api/workers/${encodeURIComponent(owner)}/kill`, {});
  await until(base, '/api/desk', (state) => state.approvals.length === 1);
  const close = async () => {
    child.kill('SIGINT');
    await exited;
  };
  return { url: `${base}/#${key}`, close };
}

export async function act(page) {
  await page.untilText('Wants to pay back A-102');
}

async function send(base, path, body) {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(base + path, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
  return response.json();
}

/** Follows what a page is told until something is as wanted. */
async function until(base, path, isWanted) {
  const { body } = await fetch(base + path);
  let text = '';
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      const state = JSON.parse(/^data: (.*)$/m.exec(text.slice(0, end))[1]);
      text = text.slice(end + 2);
      if (isWanted(state)) return state;
    }
  }
  throw new Error('The desk ended before it had what was asked for.');
}
