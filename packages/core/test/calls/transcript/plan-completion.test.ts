// What is planned for recorded and for made-up transcripts; the judge is what each CLI would give the model then.
import { describe, expect, it } from 'vitest';
import { findCallsToComplete } from '../../../src/calls/transcript/open-calls.js';
import {
  planCompletion,
  type CompletionPlanInput,
  type CompletionPlan,
} from '../../../src/calls/transcript/plan-completion.js';
import { transcriptState } from '../../../src/record/history/transcript/transcript-state.js';
import type { SessionStoreEntry } from '../../../src/wire/protocol/config/session-store.js';
import { seeCalls } from './support/cli-view.js';
import {
  FALSE_RESULTS,
  readRecording,
  RECORDINGS,
  resultFor,
  sessionOf,
  TranscriptBuilder,
  VERSIONS,
} from './support/transcripts.js';

const NOW = Date.parse('2027-01-01T00:00:00.000Z');

function plan(
  entries: readonly SessionStoreEntry[],
  ids: readonly string[],
  more: Partial<CompletionPlanInput> = {},
): CompletionPlan {
  const planned = planCompletion({
    entries,
    sessionId: sessionOf(entries),
    results: new Map(ids.map((id) => [id, resultFor(id)])),
    now: NOW,
    ...more,
  });
  if ('refused' in planned) throw new Error(planned.refused);
  return planned;
}

function refusal(entries: readonly SessionStoreEntry[], ids: readonly string[], cliVersion?: string): string {
  const results = new Map(ids.map((id) => [id, resultFor(id)]));
  const planned = planCompletion({ entries, sessionId: 's', results, cliVersion, now: NOW });
  return 'refused' in planned ? planned.refused : 'not refused';
}

/** Of a prompt, and a reply with these calls. */
function withCalls(...ids: string[]): TranscriptBuilder {
  const transcript = new TranscriptBuilder();
  transcript.prompt('Pay back.');
  for (const id of ids) transcript.calls(id, 'm1');
  return transcript;
}

const open = (entries: readonly SessionStoreEntry[]): string[] =>
  findCallsToComplete(entries).calls.flatMap(({ state, toolUseId }) => (state === 'ended' ? [] : toolUseId));

describe.each(VERSIONS)('a transcript of CLI %s', (version) => {
  it.each(RECORDINGS)('is completed: %s', (name) => {
    const entries = readRecording(version, name);
    const ids = open(entries);
    expect(ids.length).toBeGreaterThan(0);
    for (const cliVersion of [undefined, ...VERSIONS]) {
      const { entries: added, written } = plan(entries, ids, { cliVersion });
      const all = [...entries, ...added];
      for (const cli of ['oldest', 'newest'] as const) {
        if (cli === 'oldest' && cliVersion === '2.1.325') continue;
        const seen = seeCalls(all, cli);
        for (const id of ids) {
          const toolUseId = written.get(id)?.toolUseId;
          expect(seen.filter((call) => call.toolUseId === toolUseId)).toMatchObject([
            { results: [resultFor(id).content] },
          ]);
        }
        expect(seen.every(({ results }) => results.length === 1)).toBe(true);
      }
      expect(transcriptState(all)).toMatchObject({ state: 'interrupted', openCalls: [] });
      expect(plan(all, ids, { cliVersion }).entries).toEqual([]);
    }
  });

  it('gets entries of the shape that the CLI itself writes', () => {
    const entries = readRecording(version, 'three-one-ended');
    const [own] = entries.filter((entry) => JSON.stringify(entry).includes('"tool_result"'));
    const [, id = ''] = open(entries);
    const result = { ...resultFor('x'), toolUseResult: 'for programs' };
    const { entries: added } = plan(entries, [], { results: new Map([[id, result]]), cliVersion: '2.1.325' });
    const missing = Object.keys(own ?? {}).filter((field) => !(field in (added[0] ?? {})));
    // The CLI notes who allowed the call; that is in no record of the transcript.
    expect(missing).toEqual(version === '2.1.33' ? [] : ['permissionDecision']);
    expect(added[0]).toMatchObject({ cwd: '/home/user/project', version, toolUseResult: 'for programs' });
    expect(added.at(-1)).toMatchObject({ type: 'last-prompt', lastPrompt: 'refund please' });
  });
});

describe('one open call', () => {
  const { entries, leaf } = withCalls('t1');
  const planned = plan(entries, ['t1']);

  it('gets its result below it, newer than all else, and the end is named', () => {
    const [result, note, ...rest] = planned.entries;
    expect(rest).toEqual([]);
    expect(result).toMatchObject({
      type: 'user',
      parentUuid: leaf,
      sourceToolAssistantUUID: leaf,
      timestamp: new Date(NOW).toISOString(),
      message: { content: [{ tool_use_id: 't1', ...resultFor('t1') }] },
    });
    expect(note).toEqual({
      type: 'last-prompt',
      lastPrompt: 'Pay back.',
      leafUuid: result?.uuid,
      sessionId: 's',
    });
    expect(planned.written).toEqual(new Map([['t1', { uuid: result?.uuid, toolUseId: 't1' }]]));
  });

  it('gets the same entry from every process, and another one in another session', () => {
    expect(plan(entries, ['t1'], { now: NOW + 5 }).entries[0]?.uuid).toBe(planned.entries[0]?.uuid);
    expect(plan(entries, ['t1'], { sessionId: 'other' }).entries[0]?.uuid).not.toBe(planned.entries[0]?.uuid);
    expect(planned.entries[0]?.uuid).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/);
  });

  it('gets a newer one on a host whose clock is behind', () => {
    const [result] = plan(entries, ['t1'], { now: 0 }).entries;
    const newest =
      entries
        .map(({ timestamp }) => timestamp ?? '')
        .toSorted()
        .at(-1) ?? '';
    expect(String(result?.timestamp) > newest).toBe(true);
  });

  it('gets an error as one', () => {
    const results = new Map([['t1', { content: 'no', is_error: true as const }]]);
    expect(plan(entries, [], { results }).entries[0]).toMatchObject({
      message: { content: [{ is_error: true, content: 'no' }] },
    });
  });

  it('is named again where the end was not', () => {
    const transcript = withCalls('t1');
    transcript.note({ type: 'last-prompt', lastPrompt: 'Pay back.', leafUuid: transcript.leaf });
    const other = transcript.add('attachment');
    transcript.note({ type: 'last-prompt', lastPrompt: 'Pay back.', leafUuid: other });
    // As if the result had been written below the call, and the host had died then.
    const [result, note] = planned.entries as [SessionStoreEntry, SessionStoreEntry];
    const cut = [...transcript.entries, result];
    const again = plan(cut, ['t1']);
    expect(again.entries).toEqual([{ ...note, leafUuid: result.uuid }]);
    expect(seeCalls([...cut, ...again.entries], 'newest')[0]?.results).toEqual([resultFor('t1').content]);
  });
});

describe('several calls of one reply', () => {
  it('get their results in the order of the calls', () => {
    const { entries } = withCalls('t1', 't2', 't3');
    const { entries: added } = plan(entries, ['t3', 't1', 't2']);
    expect(seeCalls([...entries, ...added], 'oldest').map(({ toolUseId }) => toolUseId)).toEqual([
      't1',
      't2',
      't3',
    ]);
    const times = added.slice(0, 3).map(({ timestamp }) => String(timestamp));
    expect(times).toEqual([...new Set(times)].toSorted());
  });

  it('stay open where nothing was given, and are completed later', () => {
    const { entries } = withCalls('t1', 't2');
    const once = [...entries, ...plan(entries, ['t2']).entries];
    expect(transcriptState(once)).toMatchObject({ openCalls: [{ toolUseId: 't1' }] });
    const twice = [...once, ...plan(once, ['t1', 't2']).entries];
    for (const cli of ['oldest', 'newest'] as const) {
      expect(seeCalls(twice, cli).map(({ results }) => results.length)).toEqual([1, 1]);
    }
  });

  it('are written once more where the line would miss a result, but not for a CLI that finds it', () => {
    const transcript = withCalls('t1', 't2');
    const [, first = null] = transcript.entries.map(({ uuid }) => uuid ?? null);
    transcript.returns('t1', 'found', { parent: first });
    const { entries } = transcript;
    expect(plan(entries, ['t2'], { cliVersion: '2.1.325' }).written.get('t2')?.toolUseId).toBe('t2');
    const { entries: added, written } = plan(entries, ['t2']);
    expect(written.get('t2')?.toolUseId).toMatch(/^toolu_copy_/);
    for (const cli of ['oldest', 'newest'] as const) {
      const seen = seeCalls([...entries, ...added], cli);
      expect(seen.map(({ results }) => results)).toEqual([['found'], [resultFor('t2').content]]);
    }
  });
});

describe('a false result', () => {
  it.each(FALSE_RESULTS)('is replaced: %s', (text) => {
    const transcript = new TranscriptBuilder();
    const prompt = transcript.prompt('Pay back.');
    transcript.thinks('m1');
    transcript.calls('t1', 'm1');
    transcript.returns('t1', text, { isError: true });
    const { entries } = transcript;
    expect(findCallsToComplete(entries).calls).toMatchObject([
      { toolUseId: 't1', state: 'false-result', messageId: 'm1', hasReplyAfter: false },
    ]);
    const { entries: added, written } = plan(entries, ['t1']);
    expect(added.map(({ type }) => type)).toEqual(['assistant', 'user', 'last-prompt']);
    expect(added[0]).toMatchObject({
      parentUuid: prompt,
      message: { content: [{ type: 'thinking', signature: 'sig' }, { type: 'tool_use' }], model: 'claude' },
    });
    for (const cli of ['oldest', 'newest'] as const) {
      expect(seeCalls([...entries, ...added], cli)).toEqual([
        {
          toolUseId: written.get('t1')?.toolUseId,
          toolName: 'refund',
          input: { of: 't1' },
          results: [resultFor('t1').content],
        },
      ]);
    }
  });

  it('is replaced also where the branch was cut off at any entry', () => {
    const transcript = withCalls('t1', 't2');
    transcript.returns('t1', FALSE_RESULTS[0], { isError: true });
    transcript.note({ type: 'last-prompt', lastPrompt: 'Pay back.', leafUuid: transcript.leaf });
    const { entries } = transcript;
    const whole = plan(entries, ['t1', 't2']).entries;
    for (let kept = 0; kept <= whole.length; kept += 1) {
      const cut = [...entries, ...whole.slice(0, kept)];
      for (const cliVersion of [undefined, ...VERSIONS]) {
        const { entries: rest } = plan(cut, ['t1', 't2'], { cliVersion });
        expect(rest.map(({ uuid, leafUuid }) => uuid ?? leafUuid)).toEqual(
          whole.slice(kept).map(({ uuid, leafUuid }) => uuid ?? leafUuid),
        );
      }
    }
  });

  it('that is not known better stays open on the branch, which is nearer to the truth', () => {
    const transcript = withCalls('t1', 't2');
    transcript.returns('t1', FALSE_RESULTS[0], { isError: true });
    transcript.returns('t2', FALSE_RESULTS[0], { isError: true });
    const { entries } = transcript;
    const all = [...entries, ...plan(entries, ['t1']).entries];
    expect(transcriptState(all)).toMatchObject({ openCalls: [{ input: { of: 't2' } }] });
    // It may become known later.
    const later = [...all, ...plan(all, ['t1', 't2']).entries];
    expect(transcriptState(later)).toMatchObject({ openCalls: [] });
    expect(seeCalls(later, 'oldest').map(({ results }) => results.length)).toEqual([1, 1]);
  });

  it('is an error: a tool that says the same has ended', () => {
    const transcript = withCalls('t1');
    transcript.returns('t1', FALSE_RESULTS[0]);
    expect(findCallsToComplete(transcript.entries).calls).toMatchObject([{ state: 'ended' }]);
    expect(plan(transcript.entries, ['t1'])).toEqual({
      entries: [],
      written: new Map(),
      alreadyEnded: ['t1'],
    });
  });
});

describe('nothing is written', () => {
  it('where nothing is given', () => {
    expect(plan(withCalls('t1').entries, [])).toEqual({ entries: [], written: new Map(), alreadyEnded: [] });
    expect(planCompletion({ entries: [], sessionId: 's', results: new Map(), now: NOW })).toMatchObject({
      entries: [],
    });
  });

  it('for a call that nobody made, or of an earlier turn, or of a subagent', () => {
    const transcript = withCalls('t1');
    transcript.add('assistant', {
      isSidechain: true,
      message: { id: 'm9', content: [{ type: 'tool_use', id: 'side', name: 'x', input: {} }] },
    });
    expect(refusal(transcript.entries, ['t9'])).toMatch(/t9 is not one of the last turn/);
    expect(refusal(transcript.entries, ['side'])).toMatch(/side is not one of the last turn/);
    transcript.prompt('Something else.');
    expect(refusal(transcript.entries, ['t1'])).toMatch(/t1 is not one of the last turn/);
  });

  it('where the model has spoken, though not where the CLI spoke for it', () => {
    const transcript = withCalls('t1');
    transcript.returns('t1', FALSE_RESULTS[0], { isError: true });
    transcript.says('API Error', 'm2', '<synthetic>');
    expect(refusal(transcript.entries, ['t1'])).toBe('not refused');
    transcript.says('Sorry, it failed.', 'm3');
    expect(refusal(transcript.entries, ['t1'])).toMatch(/has spoken after the call t1/);
    expect(findCallsToComplete(transcript.entries).calls).toMatchObject([{ hasReplyAfter: true }]);
  });

  it('where somebody stopped the turn', () => {
    const transcript = withCalls('t1');
    transcript.add('user', {
      message: { content: [{ type: 'text', text: '[Request interrupted by user for tool use]' }] },
    });
    expect(findCallsToComplete(transcript.entries)).toMatchObject({ stopped: true });
    expect(refusal(transcript.entries, ['t1'])).toMatch(/stopped the turn/);
  });

  it('for a call from before a compaction', () => {
    const transcript = withCalls('t1');
    transcript.add('system', { subtype: 'compact_boundary', logicalParentUuid: transcript.leaf }, null);
    transcript.add('user', { isCompactSummary: true, message: { content: 'In short.' } });
    expect(refusal(transcript.entries, ['t1'])).toMatch(/not one of the last turn/);
  });

  it('where two CLIs would go on from different ends, unless the version is known', () => {
    const transcript = new TranscriptBuilder();
    const prompt = transcript.prompt('Pay back.');
    const one = transcript.calls('t1', 'm1');
    transcript.leaf = prompt;
    transcript.calls('t2', 'm2');
    transcript.note({ type: 'last-prompt', lastPrompt: 'Pay back.', leafUuid: one });
    expect(findCallsToComplete(transcript.entries)).toMatchObject({ ambiguous: true });
    expect(refusal(transcript.entries, ['t1'])).toMatch(/name the version/);
    expect(refusal(transcript.entries, ['t1'], '2.1.100')).toMatch(/name the version/);
    expect(refusal(transcript.entries, ['t1'], '2.1.325')).toBe('not refused');
    expect(refusal(transcript.entries, ['t1'], '2.1.33')).toMatch(/t1 is not one/);
    expect(refusal(transcript.entries, ['t2'], '2.1.33')).toBe('not refused');
  });

  it('where what came before a reply that must be copied is missing', () => {
    const transcript = withCalls('t1');
    transcript.returns('t1', FALSE_RESULTS[0], { isError: true });
    expect(refusal(transcript.entries.slice(1), ['t1'])).toMatch(/came before the reply .* is missing/);
  });
});

it('goes below what hooks added behind the call, so that a CLI that follows one line keeps it', () => {
  const transcript = withCalls('t1');
  const note = transcript.add('attachment', { attachment: { type: 'hook_additional_context' } });
  transcript.add('user', { isSidechain: true, message: { content: 'A task.' } });
  transcript.note({ type: 'queue-operation', operation: 'enqueue' });
  expect(plan(transcript.entries, ['t1']).entries[0]).toMatchObject({ parentUuid: note });
});

it('does not put a result behind something that was said to the model', () => {
  const transcript = withCalls('t1');
  transcript.add('user', { isMeta: true, message: { content: 'Continue from where you left off.' } });
  expect(plan(transcript.entries, ['t1']).entries.map(({ type }) => type)).toEqual([
    'assistant',
    'user',
    'last-prompt',
  ]);
});

it('ends with a transcript whose entries are their own ancestors', () => {
  const transcript = withCalls('t1');
  const [prompt, call] = transcript.entries;
  transcript.entries[0] = { ...prompt, type: 'user', parentUuid: call?.uuid };
  expect(refusal(transcript.entries, ['t1'])).toMatch(/not one of the last turn/);
});
