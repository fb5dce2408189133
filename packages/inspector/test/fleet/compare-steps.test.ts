import { describe, expect, it } from 'vitest';
import { compareStories, durationOf, foldSame } from '../../src/model/fleet/compare/compare-steps.js';
import { tellSteps } from './tell-steps.js';
import type { CallItem, StoryItem } from '../../src/model/story/story-item.js';

let made = 0;
const place = () => {
  made += 1;
  return { key: `k${made}`, n: made, t: made * 10, depth: 0 };
};

const prompt = (text: string): StoryItem => ({
  ...place(),
  kind: 'prompt',
  text,
  media: [],
  messageId: undefined,
});

const says = (text: string): StoryItem => ({
  ...place(),
  kind: 'text',
  text,
  isStreaming: false,
  endT: undefined,
});

const call = (toolName: string, fields: Partial<CallItem> = {}): CallItem => ({
  ...place(),
  kind: 'call',
  toolUseId: `toolu_${made}`,
  toolName,
  server: undefined,
  name: toolName,
  input: {},
  inputText: '{}',
  output: [{ type: 'text', text: 'done' }],
  state: 'done',
  runsHere: false,
  permission: undefined,
  handlerT: undefined,
  handlerMs: undefined,
  endT: undefined,
  children: [],
  agent: undefined,
  ...fields,
});

const answer = (text: string, tokens = 100): StoryItem => ({
  ...place(),
  kind: 'answer',
  text,
  isRepeated: false,
  ok: true,
  subtype: 'success',
  turns: 1,
  durationMs: 500,
  costUsd: 0.01,
  tokens: { input: tokens, output: 0, cacheRead: 0, cacheWrite: 0 },
});

const mark = (what: 'start' | 'compaction' | 'end'): StoryItem => ({
  ...place(),
  kind: 'mark',
  what,
  text: what,
  isError: false,
});

const permission = (outcome: 'allowed' | 'denied', isEdited = false) => ({
  id: 'p',
  askedT: 0,
  settledT: 1,
  outcome,
  by: 'inspector',
  message: undefined,
  isEdited,
});

describe('compareStories', () => {
  it('finds nothing between a story and itself, though ids and times are others', () => {
    const story = () => [prompt('Go'), says('I go'), call('Read', { input: { file: 'a' } }), answer('Gone')];
    expect(tellSteps(compareStories(story(), story()))).toEqual([
      'same prompt',
      'same text',
      'same call Read',
      'same answer',
    ]);
  });

  it('says in which way a call differs', () => {
    const left = [
      prompt('Go'),
      call('Read', { input: { file: 'a' } }),
      call('Bash', { permission: permission('allowed') }),
      call('Edit', { state: 'failed', output: [{ type: 'text', text: 'no such file' }] }),
      call('Grep', { t: 0, endT: 100 }),
      answer('Gone', 4000),
    ];
    const right = [
      prompt('Go'),
      call('Read', { input: { file: 'b' } }),
      call('Bash', { permission: permission('allowed', true) }),
      call('Edit'),
      call('Grep', { t: 0, endT: 3100 }),
      answer('Gone', 1000),
    ];
    expect(tellSteps(compareStories(left, right))).toEqual([
      'same prompt',
      'differs call Read: input',
      'differs call Bash: decision',
      'differs call Edit: outcome, output',
      'differs call Grep: duration',
      'differs answer: tokens',
    ]);
  });

  it('keeps to the turns: a turn that only one has moves nothing', () => {
    const left = [prompt('One'), call('Read'), answer('1'), prompt('Two'), call('Read'), answer('2')];
    const right = [
      prompt('One'),
      call('Read'),
      answer('1'),
      prompt('Between'),
      call('Bash'),
      answer('b'),
      prompt('Two'),
      call('Read'),
      answer('2'),
    ];
    expect(tellSteps(compareStories(left, right)).filter((line) => !line.startsWith('same'))).toEqual([
      'right prompt',
      'right call Bash',
      'right answer',
    ]);
  });

  it('puts turns with other prompts beside each other in order', () => {
    const steps = compareStories([prompt('Count apples'), answer('7')], [prompt('Count pears'), answer('7')]);
    expect(tellSteps(steps)).toEqual(['differs prompt: text', 'same answer']);
  });

  it('follows subagents, and never mixes their steps with those of the main conversation', () => {
    const agent = (children: StoryItem[]) => call('Task', { children });
    const steps = compareStories(
      [prompt('Go'), agent([call('Read'), says('found')]), call('Read')],
      [prompt('Go'), agent([says('found')]), call('Read')],
    );
    expect(tellSteps(steps)).toEqual([
      'same prompt',
      'same call Task',
      'left call Read',
      'same text',
      'same call Read',
    ]);
    expect(steps[2]?.left?.depth).toBe(1);
  });

  it('leaves out what every run has, and keeps what happened to one', () => {
    const steps = compareStories(
      [mark('start'), prompt('Go'), mark('compaction'), mark('end')],
      [prompt('Go')],
    );
    expect(tellSteps(steps)).toEqual(['same prompt', 'left mark']);
  });

  it('reads of figures only what is notable', () => {
    const steps = compareStories([answer('x', 1000)], [answer('x', 1900)]);
    expect(tellSteps(steps)).toEqual(['same answer']);
    expect(durationOf(call('Read', { t: 5, endT: 25 }))).toBe(20);
    expect(durationOf(prompt('x'))).toBeUndefined();
  });
});

describe('foldSame', () => {
  it('folds what is equal between what is not', () => {
    const steps = compareStories(
      [prompt('a'), says('b'), call('Read'), says('c'), says('d'), answer('e')],
      [prompt('a'), says('b'), call('Bash'), says('c'), says('d'), answer('f')],
    );
    expect(
      foldSame(steps).map((stretch) =>
        stretch.kind === 'same' ? stretch.steps.length : stretch.step.verdict,
      ),
    ).toEqual([2, 'left', 'right', 2, 'differs']);
  });
});
