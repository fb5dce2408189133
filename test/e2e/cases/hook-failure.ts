// The option "hookFailure": what a failed guard does where its matcher does not say.
import { readdirSync } from 'node:fs';
import { expect } from 'vitest';
import type { CaseSet } from '../support/cases.js';
import type { Cli } from '../support/cli.js';
import { text, toolUse, type HookCallback } from '../support/inboard.js';
import { onStage } from '../support/stage.js';
import { readRest } from '../support/talk.js';

/** One switch for all matchers; to return nothing is no decision, and a matcher may say otherwise. */
async function refuseByTheSwitch(cli: Cli): Promise<void> {
  const commands = ['touch thrown', 'touch late', 'touch nothing', 'mkdir excepted'];
  const guard: HookCallback<'PreToolUse'> = (input) => {
    const command = String((input.tool_input as { command?: unknown }).command);
    if (command === 'touch thrown') throw new Error('it is broken');
    return command === 'touch late' ? new Promise(() => {}) : Promise.resolve(undefined as never);
  };
  const log: HookCallback<'PreToolUse'> = () => Promise.reject(new Error('no log'));
  await onStage(
    cli,
    { script: [...commands.map((command) => toolUse('Bash', { command })), text('Done.')] },
    async (stage) => {
      const { query, warnings } = stage.start('Go.', {
        allowedTools: ['Bash'],
        hookFailure: 'refuse',
        hooks: {
          PreToolUse: [
            { hooks: [guard], timeout: 3 },
            { hooks: [log], failClosed: false },
          ],
        },
      });
      expect((await readRest(query)).error).toBeUndefined();
      expect(readdirSync(stage.home.cwd).toSorted()).toEqual(['excepted', 'nothing']);
      expect(
        stage.model.conversation.flatMap(({ toolResults }) => toolResults).map(({ isError }) => isError),
      ).toEqual([true, true, false, false]);
      const told = warnings
        .filter(({ message }) => message.includes('PreToolUse[0]'))
        .map(({ code }) => code);
      expect(told).toEqual(['HOOK_FAILED', 'HOOK_TIMEOUT']);
    },
  );
}

export const hookFailureCases: CaseSet = {
  'counts every guard that fails as a no, with one switch for all of them': refuseByTheSwitch,
};
