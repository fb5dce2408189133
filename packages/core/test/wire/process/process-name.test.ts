// Whether a process of another container counts as gone.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { isNoteAlive } from '../../../src/record/history/running/process-notes.js';
import { isProcessGone, nameThisProcess } from '../../../src/wire/process/process-name.js';

const elsewhere = JSON.stringify({ ...(JSON.parse(nameThisProcess()) as object), pidSpace: 'pid:[1]' });
const note = {
  pid: 1,
  sessionId: 'a',
  start: undefined,
  domain: 'linux:pid:[1]',
  updatedAt: Date.now(),
};

describe.runIf(process.platform === 'linux')('a process of another container', () => {
  afterEach(() => void vi.unstubAllEnvs());

  it('may live', () => {
    expect([isProcessGone(elsewhere), isNoteAlive(note)]).toEqual([false, true]);
  });

  it('is gone where only one container at a time uses the files', () => {
    vi.stubEnv('INBOARD_SOLE_CONTAINER', '1');
    expect([isProcessGone(elsewhere), isNoteAlive(note)]).toEqual([true, false]);
    expect(isProcessGone(nameThisProcess())).toBe(false);
  });
});
