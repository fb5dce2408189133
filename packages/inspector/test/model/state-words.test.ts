// The word for a session's state in the header and the fleet.
import { expect, it } from 'vitest';
import { wordOfState } from '../../src/model/state-words.js';

it('says of a recording that it is being read, until its last line has said how it ended', () => {
  expect(wordOfState({ state: 'working', read: 0.2 }).word).toBe('being read');
  expect(wordOfState({ state: 'working' }).word).toBe('working');
  expect(wordOfState({ state: 'failed' }).word).toBe('failed');
});
