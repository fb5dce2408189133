// Random transcripts and random results: what is planned must give every CLI each call once with its result, show the same to our own
// readers, and be the same when it is planned again. Planners that are wrong on purpose show that the checks find it.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  planCompletion,
  type CompletionPlanInput,
  type CompletionPlan,
} from '../../../src/calls/transcript/plan-completion.js';
import { orderConversation, isVisible } from '../../../src/record/history/transcript/conversation-chain.js';
import { readConversation } from '../../../src/record/history/transcript/read-conversation.js';
import { transcriptState } from '../../../src/record/history/transcript/transcript-state.js';
import type { SessionStoreEntry } from '../../../src/wire/protocol/config/session-store.js';
import { propertyOptions } from '../../../../../test/support/seed.js';
import { seeCalls } from './support/cli-view.js';
import { FALSE_RESULTS, resultFor, TranscriptBuilder } from './support/transcripts.js';

type Planner = (input: CompletionPlanInput) => ReturnType<typeof planCompletion>;

/** How a call stands, and what comes behind its entry. */
interface CallPlan {
  state: 'open' | 'false' | 'ended';
  falseResult: number;
  isGiven: boolean;
}

interface TranscriptPlan {
  /** Before the last turn: a finished turn, one that was rewound, a compaction. */
  before: ('turn' | 'branch' | 'compaction')[];
  hasThinking: boolean;
  /** A reply of the same turn before the last one, whose call has ended. */
  hasEarlierReply: boolean;
  calls: CallPlan[];
  /** Behind the reply. */
  behind: ('attachment' | 'progress' | 'system' | 'sidechain' | 'queue' | 'tools')[];
  /** Whether results hang below one another, not below their own calls. */
  isChained: boolean;
  note: 'none' | 'prompt' | 'call' | 'leaf';
  cliVersion: string | undefined;
}

const transcriptPlans: fc.Arbitrary<TranscriptPlan> = fc.record({
  before: fc.array(fc.constantFrom('turn', 'branch', 'compaction'), { maxLength: 3 }),
  hasThinking: fc.boolean(),
  hasEarlierReply: fc.boolean(),
  calls: fc.array(
    fc.record({
      state: fc.constantFrom('open', 'false', 'ended'),
      falseResult: fc.nat(FALSE_RESULTS.length - 1),
      isGiven: fc.boolean(),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  behind: fc.array(fc.constantFrom('attachment', 'progress', 'system', 'sidechain', 'queue', 'tools'), {
    maxLength: 4,
  }),
  isChained: fc.boolean(),
  note: fc.constantFrom('none', 'prompt', 'call', 'leaf'),
  cliVersion: fc.constantFrom(undefined, '2.1.33', '2.1.200', '2.1.325', '3.0.0'),
});

const callId = (index: number): string => `toolu_${index}`;

function build(plan: TranscriptPlan): SessionStoreEntry[] {
  const transcript = new TranscriptBuilder();
  for (const [index, kind] of plan.before.entries()) addBefore(transcript, kind, index);
  const prompt = transcript.prompt('Pay back.');
  if (plan.hasEarlierReply) {
    transcript.calls('early', 'm-early');
    transcript.returns('early', 'found');
  }
  if (plan.hasThinking) transcript.thinks('m-last');
  const parts = plan.calls.map((_, index) => transcript.calls(callId(index), 'm-last'));
  addBehind(transcript, plan.behind);
  for (const [index, { state, falseResult }] of plan.calls.entries()) {
    if (state === 'open') continue;
    const parent = (plan.isChained ? transcript.leaf : parts[index]) ?? null;
    if (state === 'ended') transcript.returns(callId(index), `own ${index}`, { parent });
    else transcript.returns(callId(index), FALSE_RESULTS[falseResult], { isError: true, parent });
  }
  const leafUuid = { none: undefined, prompt, call: parts.at(-1), leaf: transcript.leaf }[plan.note];
  if (leafUuid !== undefined) transcript.note({ type: 'last-prompt', lastPrompt: 'Pay back.', leafUuid });
  return transcript.entries;
}

function addBefore(transcript: TranscriptBuilder, kind: TranscriptPlan['before'][number], at: number): void {
  if (kind === 'compaction') {
    transcript.add('system', { subtype: 'compact_boundary' }, null);
    transcript.add('user', { isCompactSummary: true, message: { content: 'In short.' } });
    return;
  }
  const start = transcript.leaf;
  transcript.prompt(`Question ${at}.`);
  transcript.calls(`before_${at}`, `m-before-${at}`);
  transcript.returns(`before_${at}`, 'found');
  transcript.says('Done.', `m-done-${at}`);
  if (kind === 'branch') transcript.leaf = start;
}

function addBehind(transcript: TranscriptBuilder, kinds: TranscriptPlan['behind']): void {
  for (const kind of kinds) {
    if (kind === 'queue') transcript.note({ type: 'queue-operation', operation: 'enqueue' });
    else if (kind === 'tools') transcript.note({ type: 'tools-used', tools: ['refund'] });
    else if (kind === 'sidechain') transcript.add('user', { isSidechain: true, message: { content: 'x' } });
    else transcript.add(kind);
  }
}

/** What is given: a result for every call that has none, unless the plan holds it back. */
function resultsOf(plan: TranscriptPlan): Map<string, { content: unknown[] }> {
  return new Map(
    plan.calls.flatMap(({ state, isGiven }, index) =>
      isGiven && state !== 'ended' ? [[callId(index), resultFor(callId(index))] as const] : [],
    ),
  );
}

async function check(planner: Planner, plan: TranscriptPlan): Promise<void> {
  const entries = build(plan);
  const results = resultsOf(plan);
  const input = { entries, sessionId: 's', results, cliVersion: plan.cliVersion, now: Date.now() };
  const planned = planner(input);
  if ('refused' in planned) throw new Error(planned.refused);
  expect(planner(input)).toEqual(planned);

  const all = [...entries, ...planned.entries];
  for (const [at, { parentUuid, leafUuid }] of planned.entries.entries()) {
    const before = all.slice(0, entries.length + at).map(({ uuid }) => uuid);
    expect(before).toContain(parentUuid ?? leafUuid);
  }
  // Another process, a little later.
  expect(planner({ ...input, entries: all, now: input.now + 1000 })).toMatchObject({ entries: [] });
  checkClis(plan, all, planned);
  checkState(plan, all);
  await checkReaders(plan, all);
  checkCuts(planner, input, planned);
}

/** Each of the calls of the last reply, as it must be in the end: by its input, as ids may change. */
function expectedCalls(plan: TranscriptPlan): { of: string; result: unknown }[] {
  const expected: { of: string; result: unknown }[] = [];
  for (const [index, { state, isGiven }] of plan.calls.entries()) {
    const of = callId(index);
    if (state === 'ended') expected.push({ of, result: `own ${index}` });
    else if (isGiven) expected.push({ of, result: resultFor(of).content });
  }
  return expected;
}

function checkClis(plan: TranscriptPlan, all: SessionStoreEntry[], { written }: CompletionPlan): void {
  if (written.size === 0) return;
  const isNewest = plan.cliVersion === '2.1.325' || plan.cliVersion === '3.0.0';
  const isOldest = plan.cliVersion === '2.1.33';
  for (const cli of ['oldest', 'newest'] as const) {
    if (cli === 'oldest' ? isNewest : isOldest) continue;
    const seen = seeCalls(all, cli);
    for (const { of, result } of expectedCalls(plan)) {
      const found = seen.filter(({ input }) => (input as { of: string }).of === of);
      expect(found.map(({ results }) => results)).toEqual([[result]]);
    }
    for (const [of, { toolUseId }] of written) {
      expect(seen.find((call) => call.toolUseId === toolUseId)?.input).toEqual({ of });
    }
    if (plan.hasEarlierReply) {
      expect(seen.filter(({ toolUseId }) => toolUseId === 'early')).toMatchObject([{ results: ['found'] }]);
    }
  }
  // Nothing of the reply is lost.
  const spoken = all.filter(({ message }) => (message as { model?: string } | undefined)?.model === 'claude');
  const last = JSON.stringify(spoken.at(-1));
  if (last.includes('msg_copy_')) expect(last.includes('"thinking"')).toBe(plan.hasThinking);
}

function checkState(plan: TranscriptPlan, all: SessionStoreEntry[]): void {
  const state = transcriptState(all);
  const open = state.state === 'interrupted' ? state.openCalls.map(({ input }) => input) : undefined;
  expect(open).toBeDefined();
  for (const { of } of expectedCalls(plan)) expect(open).not.toContainEqual({ of });
}

async function checkReaders(plan: TranscriptPlan, all: SessionStoreEntry[]): Promise<void> {
  if (resultsOf(plan).size === 0) return;
  const messages = await readConversation(all, {
    order: orderConversation,
    isShown: (node) => isVisible(node, false),
    page: {},
  });
  const blocks = messages.flatMap(({ message }) => {
    const { content } = message as { content: unknown };
    return Array.isArray(content) ? (content as Record<string, unknown>[]) : [];
  });
  for (const { of, result } of expectedCalls(plan)) {
    const calls = blocks.filter(({ input }) => (input as { of?: string } | undefined)?.of === of);
    expect(calls).toHaveLength(1);
    const shown = blocks.filter((block) => block['tool_use_id'] === calls[0]?.['id']);
    expect(shown.map(({ content }) => content)).toEqual([result]);
  }
}

/** A host that dies between two entries: the next one writes the rest. */
function checkCuts(planner: Planner, input: CompletionPlanInput, planned: CompletionPlan): void {
  const nameOf = ({ uuid, leafUuid }: SessionStoreEntry): unknown => uuid ?? leafUuid;
  for (let kept = 1; kept < planned.entries.length; kept += 1) {
    const cut = [...(input.entries as SessionStoreEntry[]), ...planned.entries.slice(0, kept)];
    const rest = planner({ ...input, entries: cut, now: input.now + 1000 });
    if ('refused' in rest) throw new Error(rest.refused);
    const left = planned.entries.slice(kept);
    // The end need not be named where the CLI finds it anyway.
    if (left.length === 1 && rest.entries.length === 0) continue;
    expect(rest.entries.map(nameOf)).toEqual(left.map(nameOf));
  }
}

it('every planned completion holds, whatever the transcript', async () => {
  await fc.assert(
    fc.asyncProperty(transcriptPlans, (plan) => check(planCompletion, plan)),
    propertyOptions(500),
  );
});

/** A planner that is right but for what is done to its plan. */
function spoil(change: (plan: CompletionPlan, input: CompletionPlanInput) => SessionStoreEntry[]): Planner {
  return (input) => {
    const plan = planCompletion(input);
    return 'refused' in plan ? plan : { ...plan, entries: change(plan, input) };
  };
}

const isResult = (entry: SessionStoreEntry): boolean => entry.type === 'user';
let unique = 0;

const WRONG: Record<string, Planner> = {
  'names no leaf': spoil(({ entries }) => entries.filter(({ type }) => type !== 'last-prompt')),
  'names the wrong leaf': spoil(({ entries }) =>
    entries.map((entry) => (entry.type === 'last-prompt' ? { ...entry, leafUuid: 'user-1' } : entry)),
  ),
  'writes entries of one time': spoil(({ entries }) =>
    entries.map((entry) => ({ ...entry, timestamp: entries[0]?.timestamp ?? '' })),
  ),
  'writes old entries': spoil(({ entries }) =>
    entries.map((entry) => ({ ...entry, timestamp: '2020-01-01T00:00:00.000Z' })),
  ),
  'makes up ids': spoil(({ entries }) => {
    unique += 1;
    return entries.map((entry) => (entry.uuid ? { ...entry, uuid: `made-up-${unique}` } : entry));
  }),
  'hangs results below the prompt': spoil(({ entries }) =>
    entries.map((entry) => (isResult(entry) ? { ...entry, parentUuid: 'user-1' } : entry)),
  ),
  'hangs results below nothing that is there': spoil(({ entries }) =>
    entries.map((entry) => (isResult(entry) ? { ...entry, parentUuid: 'gone' } : entry)),
  ),
  'hangs results below their own calls': spoil(({ entries }) =>
    entries.map((entry) =>
      isResult(entry) ? { ...entry, parentUuid: entry['sourceToolAssistantUUID'] } : entry,
    ),
  ),
  'forgets a result': spoil(({ entries }) => {
    const last = entries.findLast(isResult);
    return entries.filter((entry) => entry !== last);
  }),
  'writes a result twice': spoil(({ entries }) =>
    entries.flatMap((entry) => (isResult(entry) ? [entry, { ...entry, uuid: `${entry.uuid}-2` }] : [entry])),
  ),
  'copies only the calls of a reply': spoil(({ entries }) =>
    entries.map((entry) => {
      const message = entry['message'] as { content: { type: string }[] } | undefined;
      if (entry.type !== 'assistant' || !message) return entry;
      const content = message.content.filter(({ type }) => type === 'tool_use');
      return { ...entry, message: { ...message, content } };
    }),
  ),
  'takes every CLI for the newest': (input) => planCompletion({ ...input, cliVersion: '2.1.325' }),
  'gives every call the same result': (input) =>
    planCompletion({
      ...input,
      results: new Map([...input.results.keys()].map((id) => [id, resultFor('another')])),
    }),
  'does not look at what is there': (input) =>
    planCompletion({
      ...input,
      entries: [...(input.entries as Iterable<SessionStoreEntry>)].filter(
        ({ uuid }) => !/-8[\da-f]{3}-8/.test(String(uuid)),
      ),
    }),
};

describe('a wrong planner is found', () => {
  it.each(Object.entries(WRONG))('that %s', async (_name, planner) => {
    const found = await fc.check(
      fc.asyncProperty(transcriptPlans, (plan) => check(planner, plan)),
      // What fails is not made smaller: that it fails is all that counts.
      { ...propertyOptions(500), endOnFailure: true },
    );
    expect(found.failed).toBe(true);
  });
});
