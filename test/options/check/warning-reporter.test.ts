import { expect, it, vi } from 'vitest';
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
