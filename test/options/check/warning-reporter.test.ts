import { expect, it, vi } from 'vitest';
import { WarningReporter } from '../../../src/options/check/warning-reporter.js';

it('tells the process once of the same thing, and a listener every time', () => {
  const emitWarning = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
  try {
    const warning = { code: 'UNKNOWN_OPTION', message: 'said once, by this test' };
    new WarningReporter({}).emit(warning);
    new WarningReporter({}).emit(warning);
    expect(emitWarning).toHaveBeenCalledTimes(1);
    const onWarning = vi.fn();
    const desk = new WarningReporter({ onWarning });
    desk.emit(warning);
    desk.emit(warning);
    expect(onWarning).toHaveBeenCalledTimes(2);
    expect(emitWarning).toHaveBeenCalledTimes(1);
  } finally {
    emitWarning.mockRestore();
  }
});

it('survives a listener that throws', () => {
  const desk = new WarningReporter({
    onWarning: () => {
      throw new Error('no');
    },
  });
  expect(() => desk.report(new Error('x'))).not.toThrow();
});
