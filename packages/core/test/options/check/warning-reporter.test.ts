import { expect, it, vi } from 'vitest';
import { InboardError } from '../../../src/errors.js';
import { WarningReporter } from '../../../src/options/check/warning-reporter.js';

it('emits the same process warning once, and calls a listener every time', () => {
  const emitWarning = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
  try {
    const warning = { code: 'UNKNOWN_OPTION', message: 'said once, by this test' };
    new WarningReporter({}).emit(warning);
    new WarningReporter({}).emit(warning);
    expect(emitWarning).toHaveBeenCalledTimes(1);
    const onWarning = vi.fn();
    const reporter = new WarningReporter({ onWarning });
    reporter.emit(warning);
    reporter.emit(warning);
    expect(onWarning).toHaveBeenCalledTimes(2);
    expect(emitWarning).toHaveBeenCalledTimes(1);
  } finally {
    emitWarning.mockRestore();
  }
});

it('survives a listener that throws', () => {
  const reporter = new WarningReporter({
    onWarning: () => {
      throw new Error('no');
    },
  });
  expect(() => reporter.report(new Error('x'))).not.toThrow();
});

it('reports what fails without ending the session to the process, with its cause; faults of the CLI to listeners alone', () => {
  const emitWarning = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
  try {
    const reporter = new WarningReporter({});
    reporter.fault('usage', new Error('no disk'));
    reporter.fault('usage', new Error('still no disk'));
    new WarningReporter({}).fault('usage', new Error('no disk in another session'));
    reporter.report(new InboardError('HOOK_FAILED', 'The hook x failed: y', { cause: new Error('y') }));
    reporter.observe(new Error('a line of the CLI'));
    expect(emitWarning.mock.calls).toEqual([
      [
        'The callback "usage" failed; further failures of it are not reported: no disk',
        { code: 'CALLBACK_FAILED' },
      ],
      ['The hook x failed: y', { code: 'HOOK_FAILED' }],
    ]);
    const onWarning = vi.fn();
    new WarningReporter({ onWarning }).observe(new Error('a line of the CLI'));
    expect(onWarning).toHaveBeenCalledTimes(1);
  } finally {
    emitWarning.mockRestore();
  }
});
