// The tools on their own: called as a session calls them, without a CLI and without a server.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createToolHarness } from 'inboard/testing';
import { createCaller } from '../src/callers.ts';
import { notes } from '../src/tools.ts';
import { useFolder } from './support.ts';

useFolder();

it('keeps notes, each for its user', async () => {
  const ada = createToolHarness(notes, { context: createCaller('ada') });
  const bob = createToolHarness(notes, { context: createCaller('bob') });
  assert.equal((await ada.call('add_note', { text: 'Buy milk.' })).text, '{"notes":1}');
  assert.equal((await ada.call('list_notes', {})).text, '["Buy milk."]');
  assert.equal((await bob.call('list_notes', {})).text, '[]');
});

it('tells the model what is wrong', async () => {
  const ada = createToolHarness(notes, { context: createCaller('ada') });
  const empty = await ada.call('add_note', { text: '' });
  assert.equal(empty.ok, false);
  assert.match(empty.text, /text/); // never reaches the function
});
