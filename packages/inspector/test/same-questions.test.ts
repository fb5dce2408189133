import { describe, expect, it } from 'vitest';
import { groupSame, listSameTool } from '../src/model/same-questions.js';
import type { Question } from '../src/stream/question.js';

const ask = (id: string, given: Partial<Question> = {}): Question => ({
  id,
  session: 's',
  kind: 'permission',
  subject: 'Bash',
  title: 'Run?',
  input: { command: 'npm test' },
  hidden: [],
  suggestions: [],
  askedAt: 0,
  attempt: 1,
  canAnswer: true,
  ...given,
});
const ids = (groups: readonly (readonly Question[])[]): string[][] =>
  groups.map((group) => group.map(({ id }) => id));

describe('questions about one tool', () => {
  it('are those of its kind that can be answered here', () => {
    const all = [
      ask('a'),
      ask('held', { kind: 'held' }),
      ask('elsewhere', { canAnswer: false }),
      ask('write', { subject: 'Write' }),
      ask('b', { session: 't', input: { command: 'ls' } }),
    ];
    expect(ids([listSameTool(all, all[0] as Question)])).toEqual([['a', 'b']]);
  });

  it('are none if they are not about a call', () => {
    const all = [ask('a', { kind: 'elicitation' }), ask('b', { kind: 'elicitation' })];
    expect(listSameTool(all, all[0] as Question)).toEqual([]);
  });

  it('ask the same only with the same input, in the same session, with nothing hidden', () => {
    expect(
      ids(
        groupSame([
          ask('a'),
          ask('b', { input: { command: 'ls' } }),
          ask('c'),
          ask('d', { session: 't' }),
          ask('e', { hidden: [['command']] }),
          ask('f', { hidden: [['command']] }),
          ask('g', { blockedPath: '/etc' }),
          ask('h', { input: { command: 'npm test', timeout: 1 } }),
        ]),
      ),
    ).toEqual([['a', 'c'], ['b'], ['d'], ['e'], ['f'], ['g'], ['h']]);
  });
});
