// How a turn ends that does not end well, and what the three ways to look at it say: the message, the
// iteration, and `run()`.
import { expect } from 'vitest';
import type { CaseSet } from '../support/cases.js';
import type { Cli } from '../support/cli.js';
import { apiError, outcomeOf, reply, ResultError, run, RunError, text, toolUse } from '../support/inboard.js';
import type { Outcome } from '../support/inboard.js';
import { onStage } from '../support/stage.js';
import type { StagePlan } from '../support/stage.js';
import { kindsOf, readRest, resultsOf } from '../support/talk.js';

async function endBadly(
  cli: Cli,
  plan: StagePlan,
  expected: Partial<Outcome> & { isError: boolean },
): Promise<void> {
  const { isError, ...outcome } = expected;
  await onStage(cli, plan, async (stage) => {
    const { messages, error } = await readRest(stage.start('Go.').query);
    const [result, ...more] = resultsOf(messages);
    if (result === undefined) throw new Error(`There was no result but ${kindsOf(messages).join()}`);
    expect(more).toEqual([]);
    expect(outcomeOf(result)).toMatchObject({ ok: false, ...outcome });
    // The iteration throws where the CLI itself calls it an error and leaves with 1; the older one does not always.
    expect(result.is_error).toBe(isError);
    if (isError) {
      expect(error).toBeInstanceOf(ResultError);
      expect(error).toMatchObject({ code: 'ERROR_RESULT', exitCode: 1, result, errorClass: 'error_result' });
    } else {
      expect(error).toBeUndefined();
    }
  });
}

async function stopAtMaxTurns(cli: Cli): Promise<void> {
  const script = [toolUse('Bash', { command: 'true' })];
  const options = { maxTurns: 1, allowedTools: ['Bash'] };
  await endBadly(cli, { script, options }, { kind: 'max_turns', isError: cli.isNew });
}

/** `maxTurns` limits the calls to the model. `turns` counts each result of a tool, also those of one message. */
async function countTurns(cli: Cli): Promise<void> {
  const call = toolUse('Bash', { command: 'true' });
  const options = { maxTurns: 2, allowedTools: ['Bash'] };
  await onStage(cli, { script: [reply(call, call, call), text('Done.')], options }, async (stage) => {
    expect(await run({ prompt: 'Go.', options: stage.options() })).toMatchObject({ text: 'Done.', turns: 4 });
    expect(stage.model.conversation).toHaveLength(2);
  });
  await onStage(cli, { script: [call, call], options }, async (stage) => {
    const failure: unknown = await run({ prompt: 'Go.', options: stage.options() }).catch((e: unknown) => e);
    expect(failure).toMatchObject({ code: 'MAX_TURNS', outcome: { turns: 3 } });
    expect(stage.model.conversation).toHaveLength(2);
  });
}

async function stopAtTheBudget(cli: Cli): Promise<void> {
  const dear = { usage: { input_tokens: 1_000_000, output_tokens: 100_000 } };
  const script = [reply(toolUse('Bash', { command: 'true' }), dear)];
  const options = { maxBudgetUsd: 0.01, allowedTools: ['Bash'] };
  await endBadly(cli, { script, options }, { kind: 'budget', isError: cli.isNew });
}

async function failForNow(cli: Cli): Promise<void> {
  const script = [apiError(529), apiError(529)];
  const env = { CLAUDE_CODE_MAX_RETRIES: '1' };
  const expected = { kind: 'api_error', retryable: true, apiErrorStatus: 529, isError: true } as const;
  await endBadly(cli, { script, env }, expected);
}

async function failForGood(cli: Cli): Promise<void> {
  // The newer CLI asks again with fewer features, so how often is its own affair.
  await onStage(cli, { onExhausted: apiError(400, { message: 'no such luck' }) }, async (stage) => {
    const failure: unknown = await run({ prompt: 'Go.', options: stage.options() }).catch((e: unknown) => e);
    expect(failure).toBeInstanceOf(RunError);
    const outcome = { ok: false, kind: 'api_error', apiErrorStatus: 400, retryable: false };
    expect(failure).toMatchObject({ code: 'API_ERROR', retryable: false, outcome });
    expect(String(failure)).toContain('no such luck');
  });
}

async function recover(cli: Cli): Promise<void> {
  await onStage(cli, { script: [apiError(529), text('At last.')] }, async (stage) => {
    const { messages, error } = await readRest(stage.start('Go.').query);
    expect(error).toBeUndefined();
    expect(resultsOf(messages)).toMatchObject([{ subtype: 'success', is_error: false, result: 'At last.' }]);
    const retries = messages.filter(
      (message) => message.type === 'system' && message.subtype === 'api_retry',
    );
    // The older CLI tries again without a word.
    if (cli.isOld) expect(retries).toEqual([]);
    else expect(retries).toMatchObject([{ attempt: 1, error_status: 529, error: 'overloaded' }]);
  });
}

export const turnEndCases: CaseSet = {
  'stops at the maximum of turns': stopAtMaxTurns,
  'counts turns otherwise than the limit does': countTurns,
  'stops at the budget': stopAtTheBudget,
  'fails when the API refuses': failForGood,
  'fails when trying again does not help': failForNow,
  'goes on when trying again helps': recover,
};
