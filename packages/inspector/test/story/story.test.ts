// The story of recorded sessions of the real CLI, and of one as a live source tells it.
import { describe, expect, it } from 'vitest';
import { Story } from '../../src/model/story/story.js';
import type { CallItem, StoryItem } from '../../src/model/story/story-item.js';
import type { NumberedEvent } from '../../src/stream/inspector-event.js';
import { EventMaker, makeLiveSession, readFixture } from '../support/make-events.js';

function tell(events: readonly NumberedEvent[]): Story {
  const story = new Story();
  for (const event of events) story.push(event);
  return story;
}

/** Each item in one line, those of subagents indented. */
function outline(items: readonly StoryItem[], indent = ''): string[] {
  return items.flatMap((item) => {
    switch (item.kind) {
      case 'call':
        return [`${indent}call ${item.name} ${item.state}`, ...outline(item.children, `${indent}  `)];
      case 'mark':
        return [`${indent}mark ${item.what}`];
      case 'answer':
        return [`${indent}answer ${item.ok ? 'ok' : item.isInterrupted === true ? 'stopped' : 'failed'}`];
      case 'question':
        return [`${indent}question ${item.outcome ?? 'open'}`];
      default:
        return [`${indent}${item.kind}`];
    }
  });
}

function callsOf(items: readonly StoryItem[]): CallItem[] {
  return items.flatMap((item) => (item.kind === 'call' ? [item, ...callsOf(item.children)] : []));
}

function callOf(story: Story, name: string, place = 0): CallItem {
  const call = callsOf(story.items).filter((one) => one.name === name)[place];
  if (!call) throw new Error(`There is no call of ${name}`);
  return call;
}

describe('the story of a recorded session', () => {
  const story = tell(readFixture('story'));

  it('has everything once, in order, and what a subagent did inside its call', () => {
    expect(outline(story.items)).toEqual([
      'mark start',
      'prompt',
      'thinking',
      'text',
      'call count_stock done',
      'call count_stock done',
      'call count_stock failed',
      'text',
      'call Task done',
      '  call Read done',
      '  call list_orders done',
      'call TaskCreate done',
      'call sales_chart done',
      'call Bash done',
      'text',
      'call send_mail done',
      'call refund_order denied',
      'text',
      'answer ok',
      'prompt',
      'thinking',
      'text',
      'answer ok',
      'mark end',
    ]);
  });

  it('knows where a call ran, how long its handler took, and what came of it', () => {
    const porto = callOf(story, 'count_stock', 2);
    expect(porto).toMatchObject({
      server: 'shop',
      input: { warehouse: 'Porto', article: 'blue lamp' },
      runsHere: true,
      output: [{ type: 'text', text: 'Porto does not answer: connect ETIMEDOUT 10.4.0.7:5432' }],
    });
    expect(porto.handlerMs).toBeGreaterThan(400);
    expect(callOf(story, 'Bash')).toMatchObject({ server: undefined, runsHere: false });
    expect(callOf(story, 'list_orders').output).toMatchObject([{ type: 'json', value: { open: 3 } }]);
    expect(callOf(story, 'sales_chart').output).toContainEqual(
      expect.objectContaining({ type: 'image', mediaType: 'image/png' }),
    );
  });

  it('knows who was asked, for how long, and what was edited', () => {
    const { permission, state, input, ranInput } = callOf(story, 'send_mail');
    expect(state).toBe('done');
    expect(permission).toMatchObject({
      outcome: 'allowed',
      isEdited: true,
    });
    expect(ranInput).toMatchObject({ subject: 'Your 24 blue lamps leave today' });
    expect(input?.['subject']).not.toBe('Your 24 blue lamps leave today');
    expect((permission?.settledT ?? 0) - (permission?.askedT ?? 0)).toBeGreaterThan(1400);
    const refund = callOf(story, 'refund_order');
    expect(refund.permission).toMatchObject({
      outcome: 'denied',
      message: 'Jonas asked us to keep the order open. Do not pay it back.',
      isEdited: false,
    });
    expect(refund.runsHere).toBe(false);
  });

  it('gives a subagent its kind and its report', () => {
    expect(callOf(story, 'Task')).toMatchObject({
      agent: 'general-purpose',
      report: expect.stringContaining('Porto is being moved') as string,
    });
    expect(callOf(story, 'Read').depth).toBe(1);
  });

  it('counts each turn by itself', () => {
    const answers = story.items.filter((item) => item.kind === 'answer');
    expect(answers.map(({ isRepeated, turns }) => [isRepeated, turns])).toEqual([
      [true, 10],
      [true, 1],
    ]);
    const [first, second] = answers;
    expect((first?.costUsd ?? 0) + (second?.costUsd ?? 0)).toBeCloseTo(0.11772, 6);
    expect(second?.tokens).toEqual({ input: 5600, output: 48, cacheRead: 5200, cacheWrite: 0 });
  });

  it('is the same at every moment before, as far as it goes', () => {
    const events = readFixture('story');
    const whole = outline(story.items);
    const partly = new Story();
    let longest = 0;
    for (const event of events) {
      partly.push(event);
      const kinds = outline(partly.items).map((line) => line.split(' ').slice(0, 2).join(' '));
      expect(kinds.length).toBeGreaterThanOrEqual(longest);
      longest = kinds.length;
    }
    expect(outline(partly.items)).toEqual(whole);
  });
});

describe('what happens beside the conversation', () => {
  const story = tell(readFixture('marks'));

  it('is marked where it happened', () => {
    expect(outline(story.items)).toEqual([
      'mark start',
      'prompt',
      'mark retry',
      'text',
      'call Task done',
      '  text',
      'call Bash denied',
      'text',
      'answer ok',
      'text',
      'answer ok',
      'mark model',
      'mark mode',
      'prompt',
      'text',
      'call wait_long cut',
      'mark interrupt',
      'answer stopped',
      'prompt',
      'mark compaction',
      'answer ok',
      'prompt',
      'text',
      'answer ok',
      'mark end',
    ]);
  });

  it('says what it was', () => {
    const marks = story.items.filter((item) => item.kind === 'mark');
    expect(marks.map(({ text }) => text)).toEqual([
      'Claude Code 2.1.325 started',
      expect.stringMatching(/^The API failed: 529 overloaded; trying again in \d+ ms \(1 of 10\)$/),
      'Model: claude-opus-5-5',
      'Permission mode: acceptEdits',
      'Interrupted',
      'Compacted on request, 6.6k to 2.8k tokens',
      'Claude Code ended: exit code 0',
    ]);
    expect(marks.some(({ isError }) => isError)).toBe(false);
    expect(marks.find(({ what }) => what === 'compaction')?.detail).toContain('We counted lamps.');
  });

  it('lets a subagent in the background end when it does, not when it was started', () => {
    const helper = callOf(story, 'Task');
    const refused = callOf(story, 'Bash');
    expect(helper).toMatchObject({ isBackground: true, output: [{ text: 'The folder is empty.' }] });
    expect(helper.endT).toBeGreaterThan(refused.endT ?? Infinity);
    expect(refused.blockedBy).toEqual({
      hook: 'PreToolUse',
      reason: 'Nothing is removed without a person.',
    });
  });
});

describe('a session of the oldest CLI', () => {
  it('is told as well', () => {
    const story = tell(readFixture('old'));
    expect(outline(story.items)).toEqual([
      'mark start',
      'prompt',
      'text',
      'call count_stock done',
      'call Bash failed',
      'text',
      'answer ok',
      'mark end',
    ]);
    expect(callOf(story, 'count_stock')).toMatchObject({
      runsHere: true,
      permission: { outcome: 'allowed', isEdited: false },
    });
  });
});

describe('a live session', () => {
  const events = makeLiveSession();
  const upTo = (type: string, count = 1): Story => {
    let left = count;
    const end = events.findIndex(({ event }) => event.type === type && --left === 0);
    return tell(events.slice(0, end + 1));
  };

  it('shows pieces as they come, and replaces them by the whole', () => {
    const early = upTo('pieces', 1).items.at(-1);
    expect(early).toMatchObject({ kind: 'text', text: 'I will ', isStreaming: true });
    expect(upTo('pieces', 3).items.at(-1)).toMatchObject({
      kind: 'call',
      state: 'streaming',
      input: undefined,
      inputText: '{"to":"In',
    });
    expect(outline(tell(events).items)).toEqual([
      'mark start',
      'prompt',
      'text',
      'call send done',
      'mark warning',
      'text',
      'answer ok',
      'mark end',
    ]);
  });

  it('tells one question once, though the wire and the source both ask it, and who answered', () => {
    expect(callOf(upTo('asked'), 'send')).toMatchObject({
      state: 'asking',
      permission: { outcome: undefined },
    });
    expect(callOf(tell(events), 'send')).toMatchObject({
      input: { to: 'Ines' },
      ranInput: { to: 'Jonas' },
      permission: { outcome: 'allowed', by: 'inspector', isEdited: true },
    });
  });

  it('has an elicitation once as well', () => {
    const maker = new EventMaker().open().prompt('Go.');
    maker.asks('e1', { subtype: 'elicitation', mcp_server_name: 'shop', message: 'Which size?' });
    maker.asked({ id: 'q1', kind: 'elicitation', subject: 'shop', title: 'Which size?' });
    maker.wait(50).settled('q1', { outcome: 'answered', message: 'large' });
    maker.answers('e1', { action: 'accept', content: {} });
    const story = tell(maker.events);
    expect(outline(story.items)).toEqual(['mark start', 'prompt', 'question answered']);
    expect(story.items.at(-1)).toMatchObject({ title: 'Which size?', by: 'inspector', message: 'large' });
  });

  it('shows what a running handler says of itself', () => {
    const maker = new EventMaker().open().prompt('Go.');
    maker.assistant({ type: 'tool_use', id: 'c1', name: 'mcp__shop__count', input: {} });
    const params = {
      name: 'count',
      arguments: {},
      _meta: { 'claudecode/toolUseId': 'c1', progressToken: 7 },
    };
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    maker.asks('r1', { subtype: 'mcp_message', server_name: 'shop', message });
    const progress = { progressToken: 7, progress: 1, total: 4, message: 'counting' };
    const notice = { jsonrpc: '2.0', method: 'notifications/progress', params: progress };
    maker.out({
      type: 'control_request',
      request_id: 'p1',
      request: { subtype: 'mcp_message', server_name: 'shop', message: notice },
    });
    expect(callOf(tell(maker.events), 'count').progress).toBe('counting, 25 %');
    maker.result('c1', '7');
    expect(callOf(tell(maker.events), 'count').progress).toBeUndefined();
  });
});

describe('the time of a turn', () => {
  const answerOf = (maker: EventMaker): number | undefined =>
    tell(maker.events)
      .items.flatMap((item) => (item.kind === 'answer' ? [item.durationMs] : []))
      .at(-1);

  it('counts from its prompt, also while the CLI starts, and does not shrink at its end', () => {
    const maker = new EventMaker().open().prompt('Go').wait(5000).init().wait(1600).turnEnd('Done.');
    expect(answerOf(maker)).toBe(6602);
  });

  it('is what the CLI says where the prompt was not seen', () => {
    const maker = new EventMaker().open().init().wait(50);
    expect(answerOf(maker.turnEnd('Done.', { fields: { duration_ms: 9000 } }))).toBe(9000);
    const other = new EventMaker().open().init().wait(50);
    expect(answerOf(other.turnEnd('Done.', { fields: { duration_ms: 1 } }))).toBe(51);
  });
});

describe('a session that does not go well', () => {
  it('leaves nothing open when the CLI is gone', () => {
    const maker = new EventMaker().open().prompt('Go.').init();
    maker.streamed({ type: 'message_start', message: { id: 'm1' } });
    maker.streamed({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } });
    maker.pieces('text', 'I was just');
    maker.assistant({ type: 'tool_use', id: 'c1', name: 'Bash', input: { command: 'ls' } }, { id: 'm1' });
    maker.asks('p1', { subtype: 'can_use_tool', tool_name: 'Bash', input: {}, tool_use_id: 'c1' });
    maker.end(1);
    const story = tell(maker.events);
    expect(story.items.find((item) => item.kind === 'text')).toMatchObject({
      text: 'I was just',
      isStreaming: false,
      isBrokenOff: true,
    });
    expect(callOf(story, 'Bash')).toMatchObject({ state: 'cut', permission: { outcome: 'withdrawn' } });
    expect(story.items.at(-1)).toMatchObject({ what: 'end', isError: true });
  });

  it('does the same when a recording just stops', () => {
    const maker = new EventMaker().open().prompt('Go.');
    maker.assistant({ type: 'tool_use', id: 'c1', name: 'Bash', input: {} });
    const story = tell(maker.events);
    expect(callOf(story, 'Bash').state).toBe('running');
    story.cutOff();
    expect(callOf(story, 'Bash').state).toBe('cut');
  });

  it('counts no error twice: a CLI that leaves with 1 after a failed turn only left', () => {
    const maker = new EventMaker().open().prompt('Go.').init();
    maker.turnEnd('', { fields: { subtype: 'error_max_turns', is_error: true, result: undefined } });
    maker.end(1).over({ code: 'RESULT_ERROR', message: 'The turn failed' });
    const errors = tell(maker.events).items.filter(
      (item) => (item.kind === 'mark' && item.isError) || (item.kind === 'answer' && !item.ok),
    );
    expect(errors.map(({ kind }) => kind)).toEqual(['answer']);
  });

  it('tells of a CLI after the calls that were completed before it was started, at a later time', () => {
    const maker = new EventMaker().wait(8000);
    const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'paid' };
    const frame = { type: 'user', message: { role: 'user', content: [result] } };
    maker.push({ type: 'completed', t: maker.t, frame }).header();
    // What has a file of its own begins at zero, and says no time.
    const events = maker.events.map((each): NumberedEvent => {
      const { t: _, ...event } = each.event as { t?: number };
      return each.event.type === 'header' ? ({ ...each, event } as NumberedEvent) : each;
    });
    const story = tell(events);
    expect(story.items.at(-1)).toMatchObject({ kind: 'mark', t: 8000 });
  });

  it('goes on after a restart, whose CLI counts from zero again', () => {
    const maker = new EventMaker().open('conversation').prompt('One.').init();
    maker.turnEnd('1', { costUsd: 0.5 }).end(null, 'SIGKILL').header().prompt('Two.').init();
    maker.turnEnd('2', { costUsd: 0.2 });
    const { items } = tell(maker.events);
    expect(outline(items)).toEqual([
      'mark start',
      'prompt',
      'answer ok',
      'mark end',
      'mark restart',
      'prompt',
      'answer ok',
    ]);
    expect(items.at(-1)).toMatchObject({ costUsd: 0.2 });
  });

  it('makes one mark of attempts that follow each other', () => {
    const maker = new EventMaker().open().prompt('Go.');
    for (const attempt of [1, 2, 3])
      maker.in({ type: 'system', subtype: 'api_retry', attempt, max_retries: 10, error_status: 529 });
    const marks = tell(maker.events).items.filter((item) => item.kind === 'mark' && item.what === 'retry');
    expect(marks).toMatchObject([{ text: 'The API failed: 529; trying again (3 of 10)' }]);
  });

  it('takes whatever a file says', () => {
    const odd: unknown[] = [
      { type: 'frame', t: 'late', dir: 'in', frame: 7 },
      { type: 'frame', t: -1, dir: 'sideways', frame: { type: 'assistant' } },
      { type: 'frame', t: 1, dir: 'in', frame: { type: 'assistant', message: { content: [null, 'x', {}] } } },
      {
        type: 'frame',
        t: 1,
        dir: 'in',
        frame: { type: 'user', message: { content: [{ type: 'tool_result' }] } },
      },
      {
        type: 'frame',
        t: 1,
        dir: 'in',
        frame: { type: 'stream_event', event: { type: 'content_block_delta' } },
      },
      { type: 'frame', t: 1, dir: 'in', frame: { type: 'result' } },
      { type: 'frame', t: 1, dir: 'in', frame: { type: 'system', subtype: 'compact_boundary' } },
      { type: 'frame', t: 1, dir: 'in', frame: { type: 'control_request', request_id: 'r', request: null } },
      {
        type: 'frame',
        t: 1,
        dir: 'in',
        frame: { type: 'stream_event', parent_tool_use_id: 'gone', event: {} },
      },
      { type: 'settled', t: 1, id: 'nobody', outcome: 'allowed' },
      { type: 'unheard-of', t: 1 },
      { type: 'end' },
    ];
    const story = new Story();
    for (const [index, event] of odd.entries())
      story.push({ n: index + 1, s: 's', event: event as NumberedEvent['event'] });
    expect(new Set(story.items.map(({ key }) => key)).size).toBe(story.items.length);
    expect(story.items.at(-1)).toMatchObject({ kind: 'mark', what: 'end' });
  });
});

describe('a crash', () => {
  const tellCrash = (maker: EventMaker): unknown => {
    const last = tell(maker.end(null, 'SIGKILL').events).items.at(-1);
    return last?.kind === 'mark' ? last.crash?.sessionId : undefined;
  };

  it('names the session as the CLI does: prompts of the host have no id yet', () => {
    const maker = new EventMaker().open('conversation').prompt('One.').init().prompt('Two.');
    expect(tellCrash(maker)).toBe('11111111-2222-4333-8444-555555555555');
  });

  it('names the session that the CLI has begun last', () => {
    const maker = new EventMaker().open('conversation').prompt('One.').init();
    expect(tellCrash(maker.init({ session_id: 'after-a-reset' }))).toBe('after-a-reset');
  });

  it('names no session before the CLI has', () => {
    expect(tellCrash(new EventMaker().open('conversation').prompt('One.'))).toBeUndefined();
  });
});

it.each(['__proto__', 'constructor', 'toString'])(
  'has nothing to tell of a message of the kind %s',
  (subtype) => {
    const frame = { type: 'system', subtype } as never;
    const story = tell([{ n: 1, s: 's1', event: { type: 'frame', t: 0, dir: 'in', frame } }]);
    expect(story.items).toEqual([]);
  },
);
