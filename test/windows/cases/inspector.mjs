// The inspector: its server, what a browser gets from it over loopback, and how it is found.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { run } from 'inboard';
import { inspect } from 'inboard/inspector';
import { gate, held, text } from 'inboard/testing';
import {
  ask,
  createFake,
  disposeLater,
  inboard,
  put,
  startInboard,
  startNode,
  until,
  whenSaid,
} from '../support.mjs';

const QUIET = { port: 0, print: false };

/** Opens the page as a browser does; gives what asks on with its cookie. */
async function enter(link) {
  const url = new URL(link);
  const key = new URLSearchParams(url.hash.slice(1)).get('key');
  const answer = await ask(new URL('/api/enter', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url.origin, 'x-inboard': '1' },
    body: JSON.stringify({ key }),
  });
  const secret = JSON.parse(answer.text).result?.secret ?? '';
  return {
    status: answer.status,
    get: (path) => ask(new URL(path, url), { headers: { 'x-inboard-secret': secret } }),
  };
}

export const CASES = {
  'the page is served, with all that it needs': async ({ after }) => {
    const inspector = disposeLater(after, await inspect(QUIET));
    const url = new URL(inspector.createLink());
    const page = await ask(new URL('/', url));
    const html = page.text;
    assert.equal(page.status, 200);
    assert.match(page.headers['content-type'], /text\/html/);
    for (const [, path] of html.matchAll(/(?:src|href)="(\/?[\w./-]+\.(?:js|css))"/g)) {
      const file = await ask(new URL(path, url));
      assert.equal(file.status, 200, path);
      assert.ok(file.text.length > 0);
    }
  },
  'paths that lead out of the page are not served': async ({ after }) => {
    const inspector = disposeLater(after, await inspect(QUIET));
    const { origin } = new URL(inspector.createLink());
    for (const path of [
      '/..%5c..%5cpackage.json',
      '/%2e%2e/package.json',
      '/C:/windows/win.ini',
      '/..\\..\\package.json',
      '/\\\\localhost\\c$',
      '/page.js::$DATA',
      '/con',
    ])
      assert.notEqual((await ask(`${origin}${path}`)).status, 200, path);
  },
  'a link works once': async ({ after }) => {
    const inspector = disposeLater(after, await inspect(QUIET));
    const link = inspector.createLink();
    assert.equal((await enter(link)).status, 200);
    assert.notEqual((await enter(link)).status, 200);
  },
  'without the key nothing is told': async ({ after }) => {
    const inspector = disposeLater(after, await inspect(QUIET));
    const { origin } = new URL(inspector.createLink());
    assert.notEqual((await ask(`${origin}/api/state`)).status, 200);
  },
  'a session of this process is on the page': async ({ after }) => {
    const inspector = disposeLater(after, await inspect(QUIET));
    const browser = await enter(inspector.createLink());
    const never = gate();
    const fake = createFake(after, [held(text('Hello.'), never)]);
    const running = run({
      prompt: 'Greet the wörld.',
      options: { pathToClaudeCodeExecutable: await fake.executable(), settingSources: [] },
    });
    await never.reached;
    await until(async () => /wörld/.test((await browser.get('/api/state')).text));
    never.open();
    await running;
  },
  'it is found by inspect --link of another process': async ({ after }) => {
    const inspector = disposeLater(after, await inspect({ ...QUIET, title: 'mine' }));
    const { code, stdout, stderr } = await inboard(['inspect', '--link']);
    assert.equal(code, 0, stderr);
    assert.ok(stdout.includes(new URL(inspector.createLink()).origin), stdout);
  },
  'its private file goes with it': async () => {
    const inspector = await inspect(QUIET);
    const folder = readdirSync(process.env.TEMP).find((name) => /^inboard-\w+$/.test(name));
    const path = join(process.env.TEMP, folder);
    assert.ok(readdirSync(path).some((name) => name.startsWith(`${process.pid}-`)));
    await inspector.close();
    assert.ok(!readdirSync(path).some((name) => name.startsWith(`${process.pid}-`)));
  },
  'the file of a killed process is taken away by the next': async ({ after, place }) => {
    const program = put(
      join(place, 'agent.mjs'),
      `import { inspect } from ${JSON.stringify(import.meta.resolve('inboard/inspector'))};
       await inspect({ port: 0, print: false });
       console.log('ready');
       setInterval(() => {}, 1000);`,
    );
    const other = startNode([program], { cwd: place });
    await whenSaid(other, /ready/);
    other.child.kill('SIGKILL');
    await other.done;
    disposeLater(after, await inspect(QUIET));
    const folder = join(
      process.env.TEMP,
      readdirSync(process.env.TEMP).find((name) => /^inboard-\w+$/.test(name)),
    );
    assert.ok(!readdirSync(folder).some((name) => name.startsWith(`${other.child.pid}-`)));
  },
  'INBOARD_INSPECT prints a link': async ({ place }) => {
    const program = put(
      join(place, 'agent.mjs'),
      `import { run } from ${JSON.stringify(import.meta.resolve('inboard'))};
       import { createFakeCli, text } from ${JSON.stringify(import.meta.resolve('inboard/testing'))};
       const fake = createFakeCli([text('Hello.')]);
       console.log((await run({ prompt: 'Hi', options: { transport: fake.transport, settingSources: [] } })).text);`,
    );
    const { code, stdout, stderr } = await startNode([program], {
      cwd: place,
      env: { ...process.env, INBOARD_INSPECT: '1' },
      input: '',
    }).done;
    assert.equal(code, 0, stderr);
    assert.equal(stdout.trim(), 'Hello.');
    assert.match(stderr, /http:\/\/127\.0\.0\.1:\d+\/#key=/);
  },
  'inspect of a recording serves it': async ({ after, place }) => {
    const fake = createFake(after, [text('Recörded.')]);
    const trace = join(place, 'run of today.jsonl');
    await run({ prompt: 'Hi', options: { transport: fake.transport, trace, settingSources: [] } });
    const other = startInboard(['inspect', trace, '--port', '0'], { cwd: place });
    const [link] = await whenSaid(other, /http:\/\/127\.0\.0\.1:\d+\/#key=\S+/);
    const browser = await enter(link);
    assert.equal(browser.status, 200);
    assert.match((await browser.get('/api/state')).text, /session/i);
    other.child.kill('SIGKILL');
    await other.done;
  },
  'inspect of a folder of recordings serves them': async ({ after, place }) => {
    const fake = createFake(after, [text('One.')]);
    await run({
      prompt: 'Hi',
      options: { transport: fake.transport, trace: join(place, 'traces', 'one.jsonl'), settingSources: [] },
    });
    const other = startInboard(['inspect', `${place}\\traces\\`, '--port', '0'], { cwd: place });
    const [link] = await whenSaid(other, /http:\/\/127\.0\.0\.1:\d+\/#key=\S+/);
    assert.equal((await enter(link)).status, 200);
    other.child.kill('SIGKILL');
    await other.done;
  },
};
