import { expect, it } from 'vitest';
import { UnsupportedOptionError } from '../../../src/errors.js';
import { checkMessage, userMessageOf } from '../../../src/live/input/user-message.js';

it('refuses a message without a question for a CLI that would put one', () => {
  const silent = { ...userMessageOf('by the way'), shouldQuery: false };
  expect(() => checkMessage(silent, '2.1.109')).toThrow(UnsupportedOptionError);
  expect(() => checkMessage(silent, '2.1.110')).not.toThrow();
  expect(() => checkMessage(silent, undefined)).not.toThrow();
  expect(() => checkMessage({ ...silent, shouldQuery: true }, '2.1.33')).not.toThrow();
});
