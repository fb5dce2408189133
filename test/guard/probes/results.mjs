// What the journal of a cluster does with a large tool result: how often it sends it to the database, of which the worker has three
// things to keep (the result of the call, its message, its entry in the transcript), and how much of it in one go.
import { report } from './session.mjs';

const LONG = 'order 17, "paid", 12.50\n'.repeat(200_000);

/** Answers as PostgreSQL would, as far as this goes, and counts what it is sent. */
function createPool() {
  const whole = new Set();
  const counted = { bytes: 0, most: 0, statements: [] };
  const answer = (text, values) => {
    if (text.includes('pg_class')) return [{}];
    if (text.includes('max(version)')) return [{ version: 1_000_000, oldest: 1 }];
    if (text.includes('content_state'))
      return values[2]
        .filter((digest) => whole.has(digest))
        .map((digest) => ({ digest, parts: 1, is_whole: true }));
    if (text.includes('put_parts')) for (const digest of values[2]) whole.add(digest);
    return [{ last: 1, w0_given: 1, synchronous_commit: 'on' }];
  };
  class Pool {
    options = {};
    on() {}
    async connect() {
      return {
        on() {},
        off() {},
        release() {},
        query: async ({ text, values = [] }) => {
          const bytes = values.flat().reduce((sum, value) => sum + Buffer.byteLength(String(value ?? '')), 0);
          counted.bytes += bytes;
          counted.most = Math.max(counted.most, bytes);
          if (bytes > 0) counted.statements.push(`${bytes} bytes: ${text.slice(0, 60)}`);
          return { rows: answer(text, values) };
        },
      };
    }
    async end() {}
  }
  return { pool: new Pool(), counted };
}

let longest = 0;
const { stringify } = JSON;
JSON.stringify = (...given) => {
  const text = stringify(...given);
  longest = Math.max(longest, text?.length ?? 0);
  return text;
};

const { postgresJournal } = await import('inboard/cluster/postgres');
const { pool, counted } = createPool();
const journal = postgresJournal({ pool });
const fence = { key: 'a', epoch: 1, owner: 'w' };
await journal.endCall(fence, 'call', { content: [], structuredContent: { data: LONG } });
const message = { type: 'user', uuid: 'u', tool_use_result: { structuredContent: { data: LONG } } };
await journal.publish(fence, [{ turn: 't', type: 'message', message }]);
const entry = { type: 'user', uuid: 'e', toolUseResult: { structuredContent: { data: LONG } } };
await journal.store(fence).append({ projectKey: 'p', sessionId: 's' }, [entry]);
await journal.close();
report({
  copies: Math.round(counted.bytes / Buffer.byteLength(stringify(LONG))),
  sentAtOnce: counted.most,
  encodedAtOnce: longest,
  details: counted.statements,
});
