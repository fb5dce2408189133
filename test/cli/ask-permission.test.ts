import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createAsker } from '../../src/cli/run/ask-permission.js';
import { createFakeTerminal } from './fake-terminal.js';

function open(options: Parameters<typeof createFakeTerminal>[0], allowsAll = false) {
  const terminal = createFakeTerminal({ env: { NO_COLOR: '1' }, ...options });
  const asker = createAsker(terminal, allowsAll);
  const controller = new AbortController();
  const ask = (name: string, input: Record<string, unknown> = {}) =>
    asker(name, input, { signal: controller.signal, toolUseID: 't', requestId: 'r' });
  return { terminal, ask, controller };
}

describe('createAsker', () => {
  it('denies where nobody can be asked, and says how to allow', async () => {
    const { terminal, ask } = open({});
    expect(await ask('Bash')).toMatchObject({ behavior: 'deny' });
    await turn();
    expect(terminal.written().stderr).toContain('--allow Bash');
  });

  it('allows all without a question when told so', async () => {
    const { terminal, ask } = open({}, true);
    expect(await ask('Bash')).toEqual({ behavior: 'allow' });
    expect(terminal.written().stderr).toBe('');
  });

  it.each([
    ['y\n', 'allow'],
    ['YES\n', 'allow'],
    ['n\n', 'deny'],
    ['what?\nno\n', 'deny'],
  ])('takes %j for %s', async (typed, behavior) => {
    const { terminal, ask } = open({ isTTY: true });
    const answer = ask('Bash', { command: 'ls' });
    await terminal.waitFor('The model wants to run Bash {"command":"ls"}');
    for (const line of typed.match(/.*\n/g) ?? []) {
      await terminal.waitFor('a(lways): ');
      terminal.stdin.write(line);
      await turn();
    }
    expect(await answer).toMatchObject({ behavior });
  });

  it('asks one question at a time, and remembers "always" for that tool alone', async () => {
    const { terminal, ask } = open({ isTTY: true });
    const [first, again, other] = [ask('one'), ask('one'), ask('two')];
    await terminal.waitFor('a(lways): ');
    expect(terminal.written().stderr).not.toContain('two');
    terminal.stdin.write('a\n');
    expect(await first).toEqual({ behavior: 'allow' });
    expect(await again).toEqual({ behavior: 'allow' });
    await terminal.waitFor('The model wants to run two');
    await turn();
    terminal.stdin.write('n\n');
    expect(await other).toMatchObject({ behavior: 'deny' });
    expect(terminal.written().stderr.match(/wants to run one/g)).toHaveLength(1);
  });

  it('lets go of the input after each question', async () => {
    const { terminal, ask } = open({ isTTY: true });
    const before = terminal.stdin.eventNames().map((name) => [name, terminal.stdin.listenerCount(name)]);
    for (let question = 1; question <= 12; question += 1) {
      const answer = ask('Bash');
      await terminal.waitFor('a(lways): ');
      await turn();
      terminal.stdin.write('y\n');
      await answer;
    }
    expect(terminal.stdin.listenerCount('data')).toBe(0);
    const after = terminal.stdin.eventNames().map((name) => [name, terminal.stdin.listenerCount(name)]);
    expect(after).toEqual(before);
  });

  it('gives up when the question is withdrawn or the input ends', async () => {
    const withdrawn = open({ isTTY: true });
    const answer = withdrawn.ask('Bash');
    await withdrawn.terminal.waitFor('a(lways): ');
    withdrawn.controller.abort();
    expect(await answer).toMatchObject({ behavior: 'deny' });

    const ended = open({ isTTY: true });
    const other = ended.ask('Bash');
    await ended.terminal.waitFor('a(lways): ');
    ended.terminal.stdin.end();
    expect(await other).toMatchObject({ behavior: 'deny' });
  });

  it('lets the questions of the model be answered by number or in words', async () => {
    const { terminal, ask } = open({ isTTY: true }, true);
    const input = {
      questions: [
        { question: 'Which?', options: [{ label: 'Red' }, { label: 'Blue', description: 'as the sky' }] },
        { question: 'Why?', options: [] },
      ],
    };
    const answer = ask('AskUserQuestion', input);
    await terminal.waitFor('2. Blue as the sky');
    await turn();
    terminal.stdin.write('2\n');
    await terminal.waitFor('Why?');
    await turn();
    terminal.stdin.write('Because\n');
    expect(await answer).toMatchObject({
      behavior: 'allow',
      updatedInput: { answers: { 'Which?': 'Blue', 'Why?': 'Because' } },
    });
  });
});
