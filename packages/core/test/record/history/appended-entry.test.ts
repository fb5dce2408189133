// A title or tag that was appended to a line which a killed process had left half written. What the official SDK says of
// each of these was observed; test/official/cut-lines.official.ts compares thousands of them.
import { expect, it } from 'vitest';
import { getSessionInfo } from '../../../src/record/history/sessions/list-sessions.js';
import { useConfigFolders } from './support/config-folder.js';
import { SESSION, textOf, user } from './support/entries.js';

const createConfigFolder = useConfigFolders();

const TITLE = JSON.stringify({ type: 'custom-title', customTitle: 'Renamed', sessionId: SESSION });
const TAG = JSON.stringify({ type: 'tag', tag: 'mark', sessionId: SESSION });
const SUMMARY = JSON.stringify({ type: 'summary', summary: 'In short' });

it.each([
  ['after half a line', `{"type":"user","message":{"content":"half${TITLE}`, { summary: 'Renamed' }],
  ['after a whole one', `{"a":1}${TITLE}`, { summary: 'Renamed' }],
  ['after two halves', `{"a":"b${TITLE}{"c":"${TITLE.replace('Renamed', 'Again')}`, { summary: 'Again' }],
  ['a tag', `{"a":"b${TAG}`, { summary: 'first', tag: 'mark' }],
  ['where it could be a value', `{"a":${TITLE}`, { summary: 'first' }],
  ['where it could be one of a list', `{"a":[1,${TITLE}`, { summary: 'first' }],
  ['with something behind it', `{"a":"b${TITLE}x`, { summary: 'first' }],
  ['a summary, which is not looked for there', `{"a":"b${SUMMARY}`, { summary: 'first' }],
])('is found %s, as in the official SDK', async (_, line, expected) => {
  createConfigFolder({ [`-p/${SESSION}.jsonl`]: `${textOf([user(2, 'first')])}${line}\n` });
  const { summary, tag } = (await getSessionInfo(SESSION)) ?? {};
  expect({ summary, ...(tag !== undefined && { tag }) }).toEqual(expected);
});
