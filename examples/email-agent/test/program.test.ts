// The program as a user has it: started by its command, used over HTTP, ended with Ctrl-C.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { freePort, startEmbedded } from './support/mail-servers.ts';
import { createFolder } from './support/office.ts';
import { post as talkTo, readChunks, readText } from './support/ui.ts';

type State = { drafts: { id: string; input: Record<string, unknown> }[] };
const folder = join(import.meta.dirname, '..');

function start(env: Record<string, string>) {
  const { ANTHROPIC_API_KEY: _, IMAP_URL: _1, ...inherited } = process.env;
  const words = ['--import', 'jiti/register', 'src/main.ts'];
  const child = spawn(process.execPath, words, { cwd: folder, env: { ...inherited, ...env } });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (printed += text));
  const ended = once(child, 'exit');
  const until = async (words: string) => {
    while (!printed.includes(words)) {
      assert.equal(child.exitCode, null, printed);
      await once(child.stdout, 'data');
    }
  };
  return { child, ended, until, printed: () => printed };
}

test('One command: a page, two conversations at once, a draft that is sent from the page; a taken port is told; Ctrl-C ends it', async () => {
  using data = createFolder();
  // What a run with a real mailbox left here.
  await mkdir(join(data.path, 'mail'));
  await writeFile(join(data.path, 'mail', 'seen.json'), '{}');
  const PORT = String(await freePort());
  const program = start({ PORT, DATA_DIR: data.path });
  await program.until('The page is at');
  assert.match(program.printed(), /^The model is a script, because there is no ANTHROPIC_API_KEY\.$/m);
  const url = `http://127.0.0.1:${PORT}`;
  const get = async <T>(path: string) => (await (await fetch(url + path)).json()) as T;
  const post = (path: string, body: object, headers = {}) =>
    fetch(url + path, { method: 'POST', body: JSON.stringify(body), headers });
  const say = (chat: string, text: string) => fetch(talkTo(chat, text, url));
  const ask = async (chat: string, text: string) => readText(await say(chat, text));

  const html = await fetch(url);
  assert.match(html.headers.get('content-security-policy') ?? '', /default-src 'self'/);
  assert.match(await html.text(), /<title>Mail/);
  const [one, other] = [randomUUID(), randomUUID()];
  const [unread, quote] = await Promise.all([ask(one, 'what is unread?'), ask(other, 'find quote')]);
  assert.match(unread, /^I am a script, not a model\. I found 3:[^]*Lunch on Thursday\?/);
  assert.match(quote, /Quote for the pump room/);
  assert.match(
    await ask(other, 'Check my email'),
    /^The newest in your inbox:[^]*Lunch on Thursday\?.*, unread/,
  );
  // To read is no click: it marks nothing.
  const isUnread = async () => (await get<{ unread: boolean }>('/api/mails/INBOX/5')).unread;
  assert.equal(await isUnread(), true);
  assert.match(
    await ask(one, 'read the mail from Tomas'),
    /^Tomas Vidal <tomas@vidal\.example> writes about "The gauge you asked about"/,
  );
  assert.equal(await isUnread(), true);
  assert.equal(
    (await post('/api/mails/INBOX/5/seen', {}, { origin: 'http://elsewhere.example' })).status,
    403,
  );
  assert.equal((await post('/api/mails/INBOX/5/seen', {})).status, 200);
  assert.equal(await isUnread(), false);
  const found = await get<{ subject: string }[]>('/api/mails/INBOX?text=impeller');
  assert.deepEqual(
    found.map(({ subject }) => subject),
    ['Quote for the pump room: can we have it by Friday?'],
  );

  await (await say(one, 'reply to Ida')).text();
  const changes = await fetch(`${url}/api/changes`);
  const reader = (changes.body ?? assert.fail()).getReader();
  let state = await get<State>('/api/state');
  while (state.drafts.length === 0) {
    await reader.read();
    state = await get<State>('/api/state');
  }
  await reader.cancel();
  const { id, input } = state.drafts[0] ?? assert.fail();
  const wrong = await post(`/api/drafts/${id}`, { ...input, to: 'nobody' });
  assert.deepEqual([wrong.status, await wrong.json()], [400, { error: '"nobody" is no mail address' }]);
  assert.equal((await post(`/api/drafts/${id}`, input, { origin: 'http://elsewhere.example' })).status, 403);
  assert.equal((await post(`/api/drafts/${id}`, { ...input, text: 'Gladly. Bo' })).status, 200);
  assert.equal((await post(`/api/drafts/${id}`, { reason: 'too late' })).status, 409);
  const rest = await readText(await fetch(`${url}/api/chat/${one}/stream?follow=true`));
  const past = await (await fetch(`${url}/api/chat/${one}/messages`)).text();
  assert.match(rest + past, /It was sent/);
  const [sent] = await get<{ to: string }[]>('/api/mails/Sent');
  assert.equal(sent?.to, 'Ida Berg <ida@berg.example>');
  assert.equal((await get<{ answered: boolean }>('/api/mails/INBOX/6')).answered, true);
  const file = await fetch(`${url}/api/mails/INBOX/3/0`);
  assert.equal(file.headers.get('content-disposition'), "attachment; filename*=UTF-8''parts.csv");
  assert.match(await file.text(), /^part,serial/);

  // Stopped while its draft waits, an answer takes it along; what is said next is answered for itself.
  await (await say(one, 'write to cy@y.example')).text();
  assert.equal((await get<State>('/api/state')).drafts.length, 1);
  await post(`/api/chat/${one}/stop`, {});
  assert.match(await ask(one, 'find museums'), /^I found 1:[^]*Ten small museums/);
  assert.equal((await get<State>('/api/state')).drafts.length, 0);

  const second = start({ PORT, DATA_DIR: data.path });
  assert.deepEqual(await second.ended, [1, null]);
  assert.match(second.printed(), new RegExp(`Port ${PORT} is taken; choose another`));
  const demos = (await readdir(data.path)).filter((name) => name.startsWith('demo-'));
  assert.equal(demos.length, 1, 'the second leaves nothing, and the first its own');
  assert.equal((await readdir(join(data.path, demos[0] ?? '', 'outbox'))).length, 1);
  program.child.kill('SIGINT');
  assert.deepEqual(await program.ended, [0, null]);
  assert.deepEqual((await readdir(data.path)).toSorted(), ['cli', 'mail']);
  assert.equal(await readFile(join(data.path, 'mail', 'seen.json'), 'utf8'), '{}');
});

test('Killed while the draft of a chat waits, it goes on when it is started again: the draft is sent, once', async () => {
  using data = createFolder();
  const server = await startEmbedded();
  const env = { PORT: String(await freePort()), DATA_DIR: data.path, IMAP_URL: server.url.href };
  const origin = `http://127.0.0.1:${env.PORT}`;
  const url = `${origin}/api`;
  const state = async () => (await (await fetch(`${url}/state`)).json()) as State;
  const first = start(env);
  await first.until('The page is at');
  const chat = randomUUID();
  const asked = await readChunks(await fetch(talkTo(chat, 'write to cy@y.example', origin)));
  assert.ok(asked.some(({ type }) => type === 'tool-approval-request'));
  // One at a time in a conversation.
  assert.match(await (await fetch(talkTo(chat, 'and?', origin))).text(), /APPROVAL_WAITS/);
  first.child.kill('SIGKILL');
  await first.ended;

  const second = start(env);
  await second.until('The page is at');
  const [draft] = (await state()).drafts;
  const answer = { method: 'POST', body: JSON.stringify(draft?.input) };
  assert.equal((await fetch(`${url}/drafts/${draft?.id}`, answer)).status, 200);
  // A page that is loaded now follows the rest, or finds it among what was said.
  let told = '';
  while (!told.includes('It was sent')) {
    const rest = await readText(await fetch(`${url}/chat/${chat}/stream?follow=true`));
    told = rest + (await (await fetch(`${url}/chat/${chat}/messages`)).text());
  }
  assert.equal(readdirSync(join(data.path, 'mail', 'outbox')).length, 1);
  second.child.kill('SIGINT');
  assert.deepEqual(await second.ended, [0, null]);
  await server.close();
});
