// A CLI that is started before there is a prompt.
import { expect } from 'vitest';
import { isRunning } from '../../support/is-running.js';
import type { CaseSet } from '../support/cases.js';
import type { Cli } from '../support/cli.js';
import { LaunchError, SessionClosedError, startup, text } from '../support/inboard.js';
import { onStage } from '../support/stage.js';
import { readRest, resultsOf } from '../support/talk.js';

async function answerAtOnce(cli: Cli): Promise<void> {
  await onStage(cli, { script: [text('Warm.')] }, async (stage) => {
    const warm = await startup({ options: stage.options() });
    const { pid } = warm;
    const query = warm.query('Hi');
    const { messages, error } = await readRest(query);
    expect(error).toBeUndefined();
    expect(query.pid).toBe(pid);
    expect(resultsOf(messages)).toMatchObject([{ result: 'Warm.' }]);
    expect(() => warm.query('again')).toThrow(SessionClosedError);
  });
}

async function leaveUnused(cli: Cli): Promise<void> {
  await onStage(cli, { script: [] }, async (stage) => {
    const warm = await startup({ options: stage.options() });
    const { pid } = warm;
    expect(isRunning(pid as number)).toBe(true);
    await warm.close();
    expect(isRunning(pid as number)).toBe(false);
    expect(() => warm.query('late')).toThrow(SessionClosedError);
  });
}

async function sayWhyNot(cli: Cli): Promise<void> {
  await onStage(cli, { script: [] }, async (stage) => {
    const nowhere = stage.options({ cwd: '/no/such/folder' });
    await expect(startup({ options: nowhere })).rejects.toBeInstanceOf(LaunchError);
    await expect(startup({ options: stage.options(), initializeTimeoutMs: 1 })).rejects.toMatchObject({
      code: 'HANDSHAKE_TIMEOUT',
    });
  });
}

export const startupCases: CaseSet = {
  'answers with a CLI that was started before the prompt': answerAtOnce,
  'ends a CLI that was not used': leaveUnused,
  'says why it could not start one': sayWhyNot,
};
