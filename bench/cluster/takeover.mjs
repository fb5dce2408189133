// What a takeover costs on a quiet machine: from the end of a lease to the first message, against a plain cold resume of the same
// transcript on the same CLI; also with transcripts of many megabytes.
import { randomUUID } from 'node:crypto';
import { ask, createAgent, entryPoints, makeHome, openScene } from './scene.mjs';
import { median } from '../report/statistics.mjs';

const MEGABYTE = 2 ** 20;

/** A transcript of about so many bytes whose last turn was cut off before its first call. */
export function createTranscript(bytes, sessionId, uuid) {
  const entries = [];
  let parentUuid = null;
  const add = (entry) => {
    const whole = {
      parentUuid,
      isSidechain: false,
      uuid: randomUUID(),
      timestamp: new Date().toISOString(),
      sessionId,
      cwd: '/',
      version: '2.1.325',
      ...entry,
    };
    parentUuid = whole.uuid;
    entries.push(whole);
  };
  const filler = 'All work and no play. '.repeat(900);
  for (let size = 0; size < bytes; size += filler.length) {
    add({ type: 'user', message: { role: 'user', content: [{ type: 'text', text: 'And then?' }] } });
    add({
      type: 'assistant',
      message: {
        id: `msg_${entries.length}`,
        type: 'message',
        role: 'assistant',
        model: 'fake-model',
        content: [{ type: 'text', text: filler }],
        stop_reason: 'end_turn',
      },
    });
  }
  add({ type: 'user', uuid, message: { role: 'user', content: [{ type: 'text', text: ask({ n: 1 }) }] } });
  return entries;
}

/** Milliseconds of a plain cold resume from a store in memory to its first message. */
async function timeResume(bytes) {
  const { InMemorySessionStore, openSession } = await import(`${entryPoints}/index.js`);
  const { home, remove } = makeHome();
  const store = new InMemorySessionStore();
  const sessionId = randomUUID();
  await store.append({ projectKey: 'bench', sessionId }, createTranscript(bytes, sessionId, randomUUID()));
  const agent = await createAgent({ home });
  const startedAt = performance.now();
  const session = openSession({
    oneByOne: true,
    interrupted: 'continue',
    options: {
      ...agent(),
      resume: sessionId,
      sessionStore: store,
      projectKey: 'bench',
      sessionStoreFlush: 'eager',
    },
  });
  const messages = session.messages();
  await messages.next();
  const ms = performance.now() - startedAt;
  await session.close();
  remove();
  return ms;
}

/** Milliseconds from a lease that is taken over to the first message of its turn. */
async function timeTakeover({ pair, services, bytes }) {
  const scene = await openScene({ pair, services });
  const { journal, cluster } = scene;
  await journal.open();
  const key = `takeover-${randomUUID()}`;
  const { turn } = await journal.enqueue({
    key,
    id: 'one',
    content: ask({ n: 1 }),
    start: { agent: 'desk', data: null },
  });
  const answer = await journal.lease(key, { owner: 'dead', ms: 1000 });
  const { fence, conversation } = answer;
  await journal.next(fence);
  const store = journal.store(fence);
  const entries = createTranscript(bytes, conversation.sessionId, turn.uuid);
  for (let at = 0; at < entries.length; at += 50) {
    await journal.renew([fence], 1000);
    await store.append(
      { projectKey: 'inboard-cluster', sessionId: conversation.sessionId },
      entries.slice(at, at + 50),
    );
  }
  let leasedAt;
  const worker = await cluster.work({
    onEvent: (event) => {
      if (event.type === 'leased' && event.key === key) leasedAt = performance.now();
    },
  });
  const stop = new AbortController();
  let firstAt;
  for await (const event of cluster.conversation(key).events({ signal: stop.signal })) {
    if (event.type !== 'message') continue;
    firstAt = performance.now();
    break;
  }
  stop.abort();
  await worker.close();
  await journal.remove(key);
  await scene.close();
  return firstAt - leasedAt;
}

/** Rows of the report, for each size. */
export async function measureTakeovers({ pair, services, sizes = [0, 1, 10, 50], times = 3 }) {
  const rows = [];
  for (const size of sizes) {
    const count = size >= 10 ? 2 : times;
    const plain = [];
    const taken = [];
    for (let index = 0; index < count; index += 1) {
      plain.push(await timeResume(size * MEGABYTE));
      taken.push(await timeTakeover({ pair, services, bytes: size * MEGABYTE }));
    }
    const [one, other] = [median(plain), median(taken)];
    rows.push([
      `lease -> first message, transcript of ${size} MB`,
      `${other.toFixed(0)} ms; plain cold resume ${one.toFixed(0)} ms`,
      `${(other / one).toFixed(2)}x (G6: 1.5x)`,
    ]);
  }
  return rows;
}
