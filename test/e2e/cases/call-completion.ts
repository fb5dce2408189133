// Results that are written into the transcript of a turn that was cut off: the next request to the model has each call once, with its
// real result, and nothing is said of unknown outcomes. Recordings of every way to be cut off, and one that is cut off here.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import {
  appendCompletion,
  readForCompletion,
  type TranscriptTarget,
} from '../../../packages/core/src/calls/transcript/append-completion.js';
import { findCallsToComplete } from '../../../packages/core/src/calls/transcript/open-calls.js';
import { planCompletion } from '../../../packages/core/src/calls/transcript/plan-completion.js';
import { seeCalls } from '../../../packages/core/test/calls/transcript/support/cli-view.js';
import {
  readRecording,
  RECORDINGS,
  resultFor,
  sessionOf,
} from '../../../packages/core/test/calls/transcript/support/transcripts.js';
import type { CaseSet } from '../support/cases.js';
import type { Cli } from '../support/cli.js';
import { askHome } from '../support/config-folder.js';
import {
  allow,
  createSdkMcpServer,
  forkSession,
  getSessionMessages,
  getTranscriptState,
  InMemorySessionStore,
  openSession,
  reply,
  text,
  thinking,
  tool,
  toolUse,
  type CanUseTool,
  type Options,
  type SessionStoreEntry,
} from '../support/inboard.js';
import { onStage, type Stage } from '../support/stage.js';
import { waitUntil } from '../../support/wait-until.js';

interface Block {
  type: string;
  id?: string;
  tool_use_id?: string;
  content?: unknown;
  text?: string;
}

/** A shop whose tools must not be called, because their results are known. */
function createShop(ran: string[]): Options {
  const sell = (name: string) =>
    tool(name, 'Sells.', { order: 'string' }, ({ order }) => ran.push(`${name} ${order}`) && 'again', {
      annotations: { readOnlyHint: true },
    });
  const server = createSdkMcpServer({
    name: 'shop',
    tools: [sell('refund'), sell('find')],
    alwaysLoad: true,
  });
  return { mcpServers: { shop: server }, permissionMode: 'default' };
}

/** Writes the results of all calls that have none, or of those that are wanted, as a host does before it starts a CLI. */
async function complete(
  place: TranscriptTarget,
  {
    sessionId,
    cliVersion,
    isWanted = () => true,
  }: {
    sessionId: string;
    cliVersion?: string | undefined;
    isWanted?: (index: number) => boolean;
  },
): Promise<SessionStoreEntry[]> {
  const entries = await readForCompletion(place);
  const { calls } = findCallsToComplete(entries, { cliVersion });
  const results = new Map(
    calls
      .filter(({ state }) => state !== 'ended')
      .filter((_, index) => isWanted(index))
      .map(({ toolUseId }) => [toolUseId, resultFor(toolUseId)]),
  );
  expect(results.size).toBeGreaterThan(0);
  const plan = planCompletion({ entries, sessionId, results, cliVersion, now: Date.now() });
  if ('refused' in plan) throw new Error(plan.refused);
  await appendCompletion(place, plan.entries);
  return (await readForCompletion(place)) as SessionStoreEntry[];
}

function blocksOf(stage: Stage): Block[] {
  const messages = (stage.lastRequest().body.messages ?? []) as readonly { content: string | Block[] }[];
  return messages.flatMap(({ content }) =>
    typeof content === 'string' ? [{ type: 'text', text: content }] : content,
  );
}

/** Holds the last request against the transcript: all calls, each with the one result, and no word about what is unknown. */
function expectCompleted(stage: Stage, entries: readonly SessionStoreEntry[]): void {
  const blocks = blocksOf(stage);
  const seen = blocks
    .filter(({ type }) => type === 'tool_use')
    .map(({ id }) => ({
      toolUseId: id,
      results: blocks.filter((block) => block.tool_use_id === id).map(({ content }) => content),
    }));
  const expected = seeCalls(entries, stage.cli.isNew ? 'newest' : 'oldest');
  expect(seen).toEqual(expected.map(({ toolUseId, results }) => ({ toolUseId, results })));
  expect(seen.length).toBeGreaterThan(0);
  expect(seen.every(({ results }) => results.length === 1)).toBe(true);
  expect(JSON.stringify(blocks)).not.toMatch(/outcome is unknown|interrupted|stream closed|internal error/i);
}

function placeRecording(stage: Stage, name: string): { path: string; sessionId: string } {
  const recorded = readRecording(stage.cli.isNew ? '2.1.325' : '2.1.33', name);
  const sessionId = sessionOf(recorded);
  const folder = join(stage.home.configDir, 'projects', stage.home.cwd.replaceAll(/[^a-zA-Z0-9]/g, '-'));
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${sessionId}.jsonl`);
  const lines = recorded.map((entry) => `${JSON.stringify(entry)}\n`).join('');
  writeFileSync(path, lines.replaceAll('/home/user/project', stage.home.cwd));
  return { path, sessionId };
}

/** Goes on with the turn, and resolves when the model has answered. */
async function goOn(stage: Stage, sessionId: string, more: Options, ran: string[]): Promise<void> {
  const options = stage.options({ ...createShop(ran), ...more, resume: sessionId });
  await using session = openSession({ options, interrupted: 'continue' });
  expect(await (await session.continued)?.text()).toBe('Done.');
}

/** Ids of the recordings must not come again. */
const AFTERWARDS = { idMark: 'after', onExhausted: text('Done.') };

function completeRecording(name: string, versionKnown: boolean) {
  return async (cli: Cli): Promise<void> => {
    await onStage(cli, AFTERWARDS, async (stage) => {
      const { path, sessionId } = placeRecording(stage, name);
      const ran: string[] = [];
      const cliVersion = versionKnown ? cli.version : undefined;
      const entries = await complete({ path }, { sessionId, cliVersion });
      await goOn(stage, sessionId, {}, ran);
      expectCompleted(stage, entries);
      expect(ran).toEqual([]);
    });
  };
}

/** A later start, its turns, and forks have it too. */
async function expectKept(
  stage: Stage,
  { sessionId, entries, ran }: { sessionId: string; entries: readonly SessionStoreEntry[]; ran: string[] },
): Promise<void> {
  const ourFork = await askHome(stage.home, () => forkSession(sessionId, { dir: stage.home.cwd }));
  for (const more of [
    { resume: sessionId },
    { resume: sessionId, forkSession: true },
    { resume: ourFork.sessionId },
  ]) {
    const session = openSession({ options: stage.options({ ...createShop(ran), ...more }) });
    expect(await session.send('And?').text()).toBe('Done.');
    expectCompleted(stage, entries);
    await session.close();
  }
  expect(ran).toEqual([]);
}

async function keepReplaced(cli: Cli): Promise<void> {
  await onStage(cli, AFTERWARDS, async (stage) => {
    const { path, sessionId } = placeRecording(stage, 'two-questions-closed');
    const ran: string[] = [];
    const entries = await complete({ path }, { sessionId });
    await goOn(stage, sessionId, {}, ran);
    await expectKept(stage, { sessionId, entries, ran });
  });
}

async function completeAndGoOn(cli: Cli): Promise<void> {
  const called = reply(
    thinking('Both.'),
    toolUse('mcp__shop__refund', { order: '7' }),
    toolUse('mcp__shop__refund', { order: '8' }),
  );
  await onStage(cli, { script: [called], onExhausted: text('Done.') }, async (stage) => {
    const ran: string[] = [];
    let asked = 0;
    const canUseTool: CanUseTool = async () => {
      asked += 1;
      return null;
    };
    const before = openSession({ options: stage.options({ ...createShop(ran), canUseTool }) });
    before
      .send('Refund both.')
      .outcome()
      .catch(() => undefined);
    await waitUntil(() => asked === 2);
    await before.abandon();

    const sessionId = String(before.sessionId);
    const projects = join(stage.home.configDir, 'projects');
    const path = join(projects, readdirSync(projects)[0] ?? '', `${sessionId}.jsonl`);
    const entries = await complete({ path }, { sessionId, cliVersion: cli.version });
    const asState = () => getTranscriptState(sessionId, { env: stage.home.env });
    expect(await asState()).toMatchObject({ state: 'interrupted', openCalls: [], stopped: false });
    await goOn(stage, sessionId, { canUseTool: async () => allow() }, ran);
    expectCompleted(stage, entries);

    await expectKept(stage, { sessionId, entries, ran });
    const shown = await askHome(stage.home, () => getSessionMessages(sessionId, { dir: stage.home.cwd }));
    const results = JSON.stringify(shown.map(({ message }) => message)).match(/"type":"tool_result"/g);
    expect(results).toHaveLength(2);
  });
}

async function completeSome(cli: Cli): Promise<void> {
  await onStage(cli, AFTERWARDS, async (stage) => {
    const { path, sessionId } = placeRecording(stage, 'two-open-with-thinking');
    await complete({ path }, { sessionId, isWanted: (index) => index === 1 });
    const ran: string[] = [];
    await goOn(stage, sessionId, {}, ran);
    const blocks = blocksOf(stage);
    const results = blocks.filter(({ type }) => type === 'tool_result');
    expect(results).toContainEqual(
      expect.objectContaining({ content: resultFor('toolu_scripted_0002').content }),
    );
    // The newest CLI says it of the call, the oldest has lost it: there the message that goes on with the turn does.
    expect(results).toHaveLength(cli.isNew ? 2 : 1);
    expect(JSON.stringify(blocks)).toMatch(/outcome is unknown/);
    expect(ran).toEqual([]);
  });
}

async function completeInStore(cli: Cli): Promise<void> {
  for (const name of ['three-one-ended', 'two-questions-closed']) {
    await onStage(cli, AFTERWARDS, async (stage) => {
      const recorded = readRecording('2.1.325', name);
      const sessionId = sessionOf(recorded);
      const store = new InMemorySessionStore();
      const key = { projectKey: stage.home.cwd.replaceAll(/[^a-zA-Z0-9]/g, '-'), sessionId };
      await store.append(key, recorded);
      const entries = await complete({ store, key }, { sessionId });
      const ran: string[] = [];
      await goOn(stage, sessionId, { sessionStore: store }, ran);
      expectCompleted(stage, entries);
      expect(ran).toEqual([]);
    });
  }
}

/** A transcript of another program: whether its call ran is unknown, and the model is not told that it did not. */
async function leaveUncovered(cli: Cli): Promise<void> {
  await onStage(cli, AFTERWARDS, async (stage) => {
    const { path, sessionId } = placeRecording(stage, 'open');
    const before = await readForCompletion({ path });
    const ran: string[] = [];
    await goOn(stage, sessionId, { canUseTool: async () => allow() }, ran);
    const said = JSON.stringify(blocksOf(stage));
    expect(said).not.toMatch(/did not run/);
    expect(said).toMatch(/outcome is unknown/);
    expect(ran).toEqual([]);
    // What stood there is still the beginning.
    const after = await readForCompletion({ path });
    expect(after.slice(0, before.length)).toEqual(before);
  });
}

/** One start of the CLI. */
export const replacementCases: CaseSet = {
  'replaces what the CLI made up when its host was gone': completeRecording('two-questions-closed', false),
  'leaves a call alone that no record covers': leaveUncovered,
};

/** Cut off here, and resumed three times. */
export const completionCases: CaseSet = {
  'gives the model the results that were written for two calls, also later and in forks': completeAndGoOn,
};

/** Of stores, which the oldest CLI does not have. */
export const storedCompletionCases: CaseSet = { 'completes calls in a store': completeInStore };

/** Every recording, with the version known and unknown. */
export const everyCompletionCase: CaseSet = {
  ...completionCases,
  'completes one of two calls': completeSome,
  'keeps what replaced a false result, also later and in forks': keepReplaced,
  ...Object.fromEntries(
    RECORDINGS.flatMap((name) => [
      [`completes "${name}" for any CLI`, completeRecording(name, false)],
      [`completes "${name}" for this CLI`, completeRecording(name, true)],
    ]),
  ),
};
