// Brings the ticket board into the state its README shows: some tickets on the board, three more under review beside their
// chat, one of them being edited by a reviewer who is signed in.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

const PORT = 4390;

export const look = { width: 1280, height: 860, scale: 1.2 };

export async function prepare({ folder, dataDir }) {
  const child = spawn(process.execPath, ['--import', 'jiti/register', 'src/main.ts'], {
    cwd: folder,
    env: { ...process.env, PORT: String(PORT), DATA_DIR: dataDir, ANTHROPIC_API_KEY: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  await once(child.stdout, 'data');
  const base = `http://127.0.0.1:${PORT}`;
  await signIn(base, 'Ben');

  const say = async (text, chat = 'new') =>
    (await send(base, 'POST', `/api/chats/${chat}/messages`, { text })).id;
  const approve = (ticket, more = {}) =>
    send(base, 'POST', `/api/staged/${ticket.id}`, { ...ticket, ...more, decision: 'approve' });
  const chat = await say(
    'Search is slow on large boards, add a dark theme to the reports, document the import format',
  );
  for (const ticket of await staged(base, 3))
    await approve(ticket, ticket.kind === 'bug' ? { priority: 'high', description: SLOW } : {});
  await staged(base, 0);
  await send(base, 'PATCH', '/api/tickets/2', { status: 'done' });
  await send(base, 'PATCH', '/api/tickets/1', { assignee: 'Mia' });
  await send(base, 'POST', '/api/tickets/1/comments', { text: 'I begin with the filter for labels.' });
  await say('Login fails on mobile, the CSV export is wanted, rename the settings page', chat);
  await staged(base, 3);
  const close = async () => {
    child.kill('SIGINT');
    await exited;
  };
  return { url: `${base}/#${chat}`, close };
}

export async function act(page) {
  await page.clickOn('#demo button', 'Ann');
  await page.clickOn('#sign-in .primary');
  await page.clickOn('#staged li:nth-child(2) .edit');
}

const SLOW = 'Takes four seconds with 10,000 tickets. Most of it is spent in the filter for labels.';

let cookie = '';

async function signIn(base, name) {
  const headers = { 'content-type': 'application/json', origin: base };
  const body = JSON.stringify({ name, password: 'demo' });
  const response = await fetch(`${base}/api/sign-in`, { method: 'POST', headers, body });
  cookie = response.headers.get('set-cookie').split(';', 1)[0];
}

async function send(base, method, path, body) {
  const headers = { 'content-type': 'application/json', origin: base, cookie };
  const response = await fetch(base + path, { method, headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
  return response.json();
}

/** Follows the state until this many tickets are staged and no agent works on anything else; gives the staged ones. */
async function staged(base, count) {
  const { body } = await fetch(`${base}/api/state`, { headers: { cookie } });
  let text = '';
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      const state = JSON.parse(text.slice('data: '.length, end));
      text = text.slice(end + 2);
      const resting = count > 0 ? ['review', 'idle'] : ['idle'];
      if (state.staged.length === count && state.chats.every((chat) => resting.includes(chat.activity)))
        return state.staged;
    }
  }
  throw new Error('The board ended before it had what was asked for.');
}
