// INBOARD_FORBID_LIVE: no CLI is started that could reach a real model.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { run } from '../../src/verbs/query/run.js';
import { createFakeCli } from '@inboard/inboard/testing.js';
import { say } from '@inboard/testing/fake-cli/script/build-steps.js';

afterEach(() => vi.unstubAllEnvs());

describe('INBOARD_FORBID_LIVE', () => {
  it('refuses a run before anything is started', async () => {
    vi.stubEnv('INBOARD_FORBID_LIVE', '1');
    vi.stubEnv('ANTHROPIC_BASE_URL', undefined);
    // A program that reaches no model, in case the guard fails.
    const options = { pathToClaudeCodeExecutable: process.execPath };
    await expect(run({ prompt: 'Hi', options })).rejects.toMatchObject({ code: 'LIVE_RUN_FORBIDDEN' });
  });

  it('lets fakes play, in memory and as a program', async () => {
    vi.stubEnv('INBOARD_FORBID_LIVE', '1');
    vi.stubEnv('ANTHROPIC_BASE_URL', undefined);
    await using memory = createFakeCli([say('Hello.')]);
    expect((await run({ prompt: 'Hi', options: { transport: memory.transport } })).text).toBe('Hello.');
    await using program = createFakeCli([say('Hello.')]);
    const pathToClaudeCodeExecutable = await program.executable();
    expect((await run({ prompt: 'Hi', options: { pathToClaudeCodeExecutable } })).text).toBe('Hello.');
  });
});
