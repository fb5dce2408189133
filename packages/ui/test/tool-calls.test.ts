// What a chat goes by when it decides whether more is to be expected before a person has answered.
import { describe, expect, it } from 'vitest';
import { ToolCalls } from '../src/stream/tool-calls.js';

const descriptor = { kind: 'permission', attempt: 1 } as const;

function createCalls(...ids: string[]): ToolCalls {
  const calls = new ToolCalls(() => {});
  for (const id of ids) calls.ready({ id, name: 'Read' }, {});
  return calls;
}

function ask(calls: ToolCalls, id: string): void {
  calls.ask({ approvalId: `about ${id}`, toolCallId: id, toolName: 'Read', input: {}, descriptor });
}

describe('calls that go on by themselves', () => {
  it('are those without a question and without a result', () => {
    const calls = createCalls('one', 'two', 'three');
    ask(calls, 'one');
    calls.result('two', 'done', false);
    expect(calls.isAtWork).toBe(true);
    ask(calls, 'three');
    expect(calls.isAtWork).toBe(false);
  });

  it('are those whose question was answered, until they have a result', () => {
    const calls = createCalls('one');
    ask(calls, 'one');
    calls.answered({ approvalId: 'about one', approved: true });
    expect(calls.isAtWork).toBe(true);
    calls.result('one', 'done', false);
    expect(calls.isAtWork).toBe(false);
  });

  it('are not those that the API runs itself', () => {
    const calls = createCalls();
    calls.start({ id: 'search', name: 'web_search', isProviderExecuted: true });
    expect(calls.isAtWork).toBe(false);
  });
});
