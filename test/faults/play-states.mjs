// How the host of each state uses its CLI. Each leaves every promise it is given with the host, and closes what it opened.
import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { environment } from './play.mjs';

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const SLOW_MS = 15;

/** Reads messages as the host of the cell does; `onResult` is told of each result. */
async function read(host, messages, onResult = () => {}) {
  const { cell } = host;
  const controlAt = { 'control-open': 'system', 'control-after-result': 'result' }[cell.step];
  // Whether the CLI gets on depends on the reader at these steps, so it does not stop for long.
  const breakMs = ['second-turn', 'stdin-end'].includes(cell.step) ? 20 : 300;
  let isAsked = false;
  let count = 0;
  for await (const message of messages) {
    count += 1;
    if (message.type === controlAt && !isAsked) {
      isAsked = true;
      void host.control();
    }
    if (cell.action === 'slow-reader') await pause(SLOW_MS);
    if (cell.action === 'break') {
      await Promise.race([host.reached, pause(breakMs)]);
      if (host.isReached) break;
    }
    if (message.type === 'result') onResult();
  }
  return count;
}

async function readQuery(host, query, onResult) {
  host.aim(query);
  await host.promises.follow('iteration', read(host, query, onResult));
  // A query that is over can be closed all the same.
  await host.promises.follow('close() at the end', query.close());
}

/** A prompt of two messages, the second of which answers the first result. */
function createDialogue() {
  let goOn;
  const answered = new Promise((resolve) => (goOn = resolve));
  const say = (text) => ({
    type: 'user',
    message: { role: 'user', content: text },
    parent_tool_use_id: null,
  });
  async function* prompt() {
    yield say('one');
    await answered;
    yield say('two');
  }
  return { prompt: prompt(), goOn };
}

async function playSession(host, session, isLeft = () => true) {
  const { promises, cell } = host;
  host.aim(session);
  const first = session.send('one');
  const second = session.send('two');
  promises.follow(
    'messages()',
    read({ ...host, cell: { ...cell, step: '', action: 'none' } }, session.messages()),
  );
  promises.follow('events()', readEvents(session));
  promises.follow('outcome() of turn 1', first.outcome());
  promises.follow('outcome() of turn 2', second.outcome());
  await promises.follow('turn 1', read(host, first));
  if (cell.action !== 'break')
    await promises.follow('turn 2', read({ ...host, cell: { ...cell, step: '' } }, second));
  // A host that asked for something waits for the step, at which the CLI may be after its answers.
  if (cell.step !== 'stdin-end') await Promise.race([host.reached, pause(300)]);
  if (isLeft()) await promises.follow('close() at the end', session.close());
}

async function readEvents(session) {
  const types = [];
  for await (const { type } of session.events()) types.push(type);
  return types.join(' ');
}

export const STATES = {
  string: {
    run: (host) =>
      readQuery(
        host,
        host.sdk.query({
          prompt: 'one',
          options: host.options({ abortController: host.abortController }),
        }),
      ),
  },
  streaming: {
    async run(host) {
      const { prompt, goOn } = createDialogue();
      const options = host.options({ abortController: host.abortController });
      await readQuery(host, host.sdk.query({ prompt, options }), goOn);
      goOn();
    },
  },
  session: {
    run: (host) =>
      playSession(
        host,
        host.sdk.openSession({
          oneByOne: true,
          options: host.options({ abortController: host.abortController }),
        }),
      ),
  },
  pool: {
    async run(host) {
      const { promises, sdk } = host;
      const pool = sdk.createWarmPool({
        size: 1,
        healthCheck: false,
        backoffMs: 20,
        options: host.options(),
      });
      await promises.follow('ready()', pool.ready());
      // A CLI that fails while it waits fails before it is claimed.
      if (host.cell.step === 'after-handshake') await host.reached;
      await readQuery(
        host,
        pool.query({ prompt: 'one', options: { abortController: host.abortController } }),
      );
      await promises.follow('close() of the pool', pool.close());
    },
  },
  group: {
    async run(host) {
      const { promises, sdk, folder } = host;
      const group = sdk.createSessionGroup({ maxRunning: 2, options: host.options() });
      const calm = join(folder, 'neighbour');
      mkdirSync(calm);
      const neighbour = group.open({
        options: {
          env: environment({ folder: calm, step: 'none' }),
          stderr: () => {},
          idleTimeoutMs: 0,
          hooks: {},
          canUseTool: () => ({ behavior: 'allow' }),
          mcpServers: {},
        },
      });
      const session = group.open({ options: { abortController: host.abortController } });
      const answered = promises.follow('text() of the neighbour', neighbour.send('one').text());
      await playSession(host, session, () => false);
      await answered;
      // One that has left its turn does not wait for the next.
      if (host.cell.action !== 'break') await promises.allSettledBut('messages()', 'events()');
      await promises.follow('closeAll()', group.closeAll());
    },
  },
  resumed: {
    run: (host) =>
      playSession(
        host,
        host.sdk.openSession({
          oneByOne: true,
          restart: { maxRestarts: 1, backoffMs: 1, resend: 'unanswered' },
          options: host.options({ abortController: host.abortController, resume: randomUUID() }),
        }),
      ),
  },
};
