import { inspect } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SDKResultMessage } from '../../../src/wire/protocol/messages/messages.js';
import { outcomeOf, runErrorOf } from '../../../src/live/output/outcome.js';
import type { OutcomeKind } from '../../../src/live/output/outcome-kind.js';

const result = (fields: object): SDKResultMessage =>
  ({ type: 'result', session_id: 's', uuid: 'u', ...fields }) as unknown as SDKResultMessage;

describe('the verdict on a result', () => {
  it.each([
    ['a plain success', { subtype: 'success', is_error: false, terminal_reason: 'completed' }, 'ok'],
    ['a success without a reason (2.1.33)', { subtype: 'success', is_error: false }, 'ok'],
    [
      'an API error dressed as success',
      { subtype: 'success', is_error: true, terminal_reason: 'api_error', api_error_status: 400 },
      'api_error',
    ],
    [
      'an API error without a reason (2.1.33)',
      { subtype: 'success', is_error: true, result: 'API Error: 500' },
      'api_error',
    ],
    ['max turns', { subtype: 'error_max_turns', is_error: true, terminal_reason: 'max_turns' }, 'max_turns'],
    [
      'max turns without is_error (2.1.33)',
      { subtype: 'error_max_turns', is_error: false, errors: [] },
      'max_turns',
    ],
    [
      'the budget',
      { subtype: 'error_max_budget_usd', is_error: true, terminal_reason: 'budget_exhausted' },
      'budget',
    ],
    ['the budget without a reason', { subtype: 'error_max_budget_usd', is_error: false }, 'budget'],
    [
      'structured output given up',
      { subtype: 'error_max_structured_output_retries', is_error: true },
      'structured_output',
    ],
    [
      'an interrupt while a tool ran',
      { subtype: 'error_during_execution', is_error: true, terminal_reason: 'aborted_tools', errors: ['x'] },
      'interrupted',
    ],
    [
      'an interrupt while streaming',
      { subtype: 'error_during_execution', is_error: true, terminal_reason: 'aborted_streaming' },
      'interrupted',
    ],
    [
      'an interrupt (2.1.33)',
      { subtype: 'error_during_execution', is_error: false, errors: [] },
      'interrupted',
    ],
    [
      'an execution error',
      { subtype: 'error_during_execution', is_error: true, errors: ['No conversation found'] },
      'execution_error',
    ],
    [
      'a hook that stopped the turn',
      { subtype: 'success', is_error: false, terminal_reason: 'hook_stopped' },
      'stopped_by_hook',
    ],
    [
      'a limit of the account',
      { subtype: 'success', is_error: true, terminal_reason: 'blocking_limit' },
      'blocked',
    ],
    [
      'a reason from the future, no error',
      { subtype: 'success', is_error: false, terminal_reason: 'new_thing' },
      'ok',
    ],
    [
      'a reason from the future, an error',
      { subtype: 'error_new', is_error: true, terminal_reason: 'new_thing' },
      'execution_error',
    ],
    [
      'an error subtype from the future that claims no error',
      { subtype: 'error_new', is_error: false, errors: ['e'] },
      'execution_error',
    ],
    [
      'a completed reason with an error subtype',
      { subtype: 'error_max_turns', is_error: true, terminal_reason: 'completed' },
      'max_turns',
    ],
  ] as [string, object, OutcomeKind][])('%s', (_what, fields, kind) => {
    const outcome = outcomeOf(result(fields));
    expect(outcome).toMatchObject({ kind, ok: kind === 'ok' });
    if (!outcome.ok) expect(runErrorOf('run', outcome)).toMatchObject({ code: kind.toUpperCase(), outcome });
  });

  it('is the code of the error, in capitals', () => {
    const error = runErrorOf('run', outcomeOf(result({ subtype: 'error_max_turns', is_error: true })));
    expect(error.code).toBe('MAX_TURNS');
    expect(error).toMatchObject({ name: 'RunError', phase: 'result', retryable: false });
    expect(error.message).toContain('max_turns');
  });

  it('says what a program can do where the CLI wants somebody to log in, which no repetition does', () => {
    const outcome = outcomeOf(
      result({ subtype: 'success', is_error: true, result: 'Not logged in · Please run /login' }),
    );
    const error = runErrorOf('run', outcome);
    expect([outcome.retryable, error.retryable]).toEqual([false, false]);
    expect(error.message).toContain('ANTHROPIC_API_KEY');
    expect(outcome.text).toBe('Not logged in · Please run /login');
  });

  it('is named once where the CLI calls it the same', () => {
    const outcome = outcomeOf(
      result({ subtype: 'error_max_turns', is_error: true, terminal_reason: 'max_turns', errors: ['One.'] }),
    );
    expect(runErrorOf('run', outcome).message).toBe('The run ended as "max_turns": One.');
  });

  it('leaves out of its text what the CLI notes for its own authors', () => {
    const errors = ['[ede_diagnostic] result_type=user stop_reason=null'];
    const reason = {
      subtype: 'error_during_execution',
      is_error: true,
      terminal_reason: 'aborted_streaming',
    };
    const outcome = outcomeOf(result({ ...reason, errors }));
    expect(outcome).toMatchObject({ text: '', errors });
    expect(runErrorOf('turn', outcome).message).toBe('The turn ended as "interrupted" (aborted_streaming)');
  });

  it('prints as its message and a few facts, not as every number of the result', () => {
    const error = runErrorOf('run', outcomeOf(result({ subtype: 'error_max_turns', is_error: true })));
    expect(inspect(error)).not.toContain('sessionId');
    expect(error.outcome.sessionId).toBe('s');
  });

  it('carries text, structured output, cost, usage and denials', () => {
    const outcome = outcomeOf(
      result({
        subtype: 'success',
        is_error: false,
        result: 'hello',
        structured_output: { a: 1 },
        total_cost_usd: 0.5,
        num_turns: 3,
        duration_ms: 9,
        usage: { input_tokens: 1 },
        permission_denials: [{ tool_name: 'Bash' }],
      }),
    );
    expect(outcome).toMatchObject({
      text: 'hello',
      structuredOutput: { a: 1 },
      totalCostUsd: 0.5,
      turns: 3,
      durationMs: 9,
      sessionId: 's',
    });
    expect(outcome.usage).toEqual({ input_tokens: 1 });
    expect(outcome.permissionDenials).toHaveLength(1);
  });

  it('says of API errors whether the same again can help', () => {
    const api = (api_error_status: number | null) =>
      outcomeOf(
        result({ subtype: 'success', is_error: true, terminal_reason: 'api_error', api_error_status }),
      ).retryable;
    expect([api(529), api(429), api(null), api(400), api(401)]).toEqual([true, true, true, false, false]);
  });

  it('reads the status out of the text where the CLI reports none', () => {
    const api = (text: string) => outcomeOf(result({ subtype: 'success', is_error: true, result: text }));
    expect(api('API Error: 400 {"type":"error"}')).toMatchObject({ apiErrorStatus: 400, retryable: false });
    expect(api('API Error: 529 {"type":"error"}')).toMatchObject({ apiErrorStatus: 529, retryable: true });
    expect(api('API Error: Connection error.')).toMatchObject({ apiErrorStatus: undefined, retryable: true });
  });

  it('is given for every message, whatever fields are missing', () => {
    const whole = result({
      subtype: 'error_during_execution',
      is_error: true,
      errors: ['a'],
      result: 'text',
      num_turns: 1,
      total_cost_usd: 1,
      usage: { input_tokens: 1 },
      modelUsage: { m: { inputTokens: 1 } },
      permission_denials: [{ tool_name: 'Bash' }],
      terminal_reason: 'completed',
    });
    fc.assert(
      fc.property(fc.subarray(Object.keys(whole)), (kept) => {
        const part = Object.fromEntries(Object.entries(whole).filter(([name]) => kept.includes(name)));
        expect(outcomeOf(part as unknown as SDKResultMessage)).toMatchObject({
          kind: expect.any(String),
          text: expect.any(String),
        });
      }),
    );
  });

  it.each(['toString', 'constructor', '__proto__'])(
    'takes a reason that is called %s for an unknown one',
    (name) => {
      for (const fields of [{ subtype: 'success', terminal_reason: name }, { subtype: name }])
        expect(outcomeOf(result({ is_error: false, ...fields }))).toMatchObject({ kind: 'ok', reason: name });
    },
  );

  it('can be read where objects stand in the place of texts', () => {
    const odd = { toString: 1, valueOf: null };
    const outcome = outcomeOf(
      result({ subtype: odd, is_error: true, terminal_reason: odd, errors: [odd], result: odd }),
    );
    expect(outcome).toMatchObject({
      kind: 'execution_error',
      reason: '',
      text: '{"toString":1,"valueOf":null}',
    });
    expect(runErrorOf('run', outcome).message).toContain('"execution_error"');
  });

  it('joins the errors where there is no text', () => {
    expect(
      outcomeOf(result({ subtype: 'error_during_execution', is_error: true, errors: ['a', 'b'] })).text,
    ).toBe('a; b');
  });
});
