// The fake CLI of chaos runs and benches keeps to what they rest on: it is resumed from a store, goes on with a turn that was cut
// off, makes an ended call no second time, and does not take a message it has.
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { createSdkMcpServer, InMemorySessionStore, openSession, tool } from '@inboard/inboard/index.js';
import { transcriptState } from '@inboard/core/record/history/transcript/transcript-state.js';
import { DID_NOT_RUN } from '@inboard/core/verbs/conversation/completion/result-texts.js';
import { waitUntil } from '../../../../test/support/wait-until.js';

interface Transcript {
  keep: (entry: object) => void;
  report: () => void;
  lastTurn: () => unknown;
}
const { openTranscript } = createRequire(import.meta.url)(
  '../../../../scripts/support/cluster-chaos/programs/fake-transcript.cjs',
) as { openTranscript: (place: object) => Transcript };

const home = mkdtempSync(join(tmpdir(), 'fake-cli-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));
const program = new URL('../../../../scripts/support/cluster-chaos/programs/fake-cli.cjs', import.meta.url);

it('goes on where it was cut off', async () => {
  const store = new InMemorySessionStore();
  const key = { projectKey: 'chaos', sessionId: crypto.randomUUID() };
  const runs: string[] = [];
  const create = (name: string) =>
    tool({
      name,
      description: name,
      inputSchema: { k: 'string', n: 'number', call: 'number' },
      run: async ({ call }) => {
        runs.push(`${name} ${call}`);
        // The second call of the turn never ends in the first process.
        if (runs.length === 2) await new Promise(() => {});
        return 'ok';
      },
    });
  const options = {
    pathToClaudeCodeExecutable: fileURLToPath(program),
    cwd: home,
    env: { HOME: home, PATH: process.env['PATH'] },
    sessionStore: store,
    sessionStoreFlush: 'eager' as const,
    projectKey: key.projectKey,
    allowedTools: ['mcp__shop__work'],
    canUseTool: (_: string, input: Record<string, unknown>) =>
      Promise.resolve({ behavior: 'allow' as const, updatedInput: input }),
    mcpServers: { shop: createSdkMcpServer({ name: 'shop', tools: ['work', 'pay'].map(create) }) },
  };
  const first = openSession({ options: { ...options, sessionId: key.sessionId } });
  const message = {
    type: 'user' as const,
    parent_tool_use_id: null,
    uuid: crypto.randomUUID(),
    message: { role: 'user' as const, content: 'chaos {"k":"a","n":1,"calls":2,"ask":true,"ms":1}' },
  };
  let early: unknown;
  void first
    .send(message)
    .outcome()
    .then(
      (outcome) => (early = outcome),
      (error: unknown) => (early = error),
    );
  // By name: the store may lag behind the runs, and still have the first call as the open one.
  const openCalls = async (): Promise<string[]> => {
    const state = transcriptState((await store.load(key)) ?? []);
    return state.state === 'interrupted' ? state.openCalls.map(({ toolName }) => toolName) : [];
  };
  await waitUntil(async () => {
    expect(early, 'the turn is not over').toBeUndefined();
    return runs.length === 2 && (await openCalls()).join() === 'mcp__shop__work';
  }).catch(async (error: unknown) => {
    const facts = { runs, openCalls: await openCalls(), state: first.state, entries: await store.load(key) };
    throw new Error(`${String(error)}: ${JSON.stringify(facts)}`);
  });
  await first.abandon();

  const second = openSession({ options: { ...options, resume: key.sessionId }, interrupted: 'continue' });
  const continued = await second.continued;
  expect(await continued?.text()).toBe('done a 1');
  // The tool does not say that it may run twice, so the model was told that the outcome is unknown.
  expect(runs).toEqual(['pay 0', 'work 1']);
  await second.close();
  expect(transcriptState((await store.load(key)) ?? [])).toMatchObject({
    state: 'answered',
    uuid: message.uuid,
  });
});

it.each([
  [DID_NOT_RUN, 0],
  ['did a 1 0', 1],
])('makes a call again only where it was told to: %s', (content, done) => {
  const sessionId = crypto.randomUUID();
  const place = { projects: join(home, 'projects'), sessionId, isResumed: false, onBeat: () => {} };
  const { keep, report, lastTurn } = openTranscript(place);
  keep({ type: 'user', message: { content: 'chaos {"k":"a","n":1}' } });
  keep({
    type: 'assistant',
    message: { content: [{ type: 'tool_use', id: 't1', name: 'work', input: {} }] },
  });
  // As the host writes it for a call that was cut off.
  const text = [{ type: 'text', text: content }];
  keep({ type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 't1', content: text }] } });
  report();
  expect(lastTurn()).toMatchObject({ made: 1, done });
});
