// The transcripts of the journal in memory are held to what every session store must do: written under a fence, and read
// both by its owner and by readers without one, who see the same.
import { describe, expect, it } from 'vitest';
import { memoryJournal } from '../../src/journal/memory/memory-journal.js';
import { describeSessionStore } from '@inboard/testing/conformance/session-store-conformance.js';
import type { SessionStore } from '@inboard/core/wire/protocol/config/session-store.js';

async function openStore(): Promise<SessionStore> {
  const journal = memoryJournal();
  await journal.enqueue({ key: 'a', id: '1', content: 'hi', start: { agent: 'x', data: null } });
  const answer = await journal.lease('a', { owner: 'w', ms: 60_000 });
  if (answer.state !== 'granted') throw new Error(answer.state);
  const [fenced, reading] = [journal.store(answer.fence), journal.store()];
  return {
    ...reading,
    append: (key, entries) => fenced.append(key, entries),
    delete: async (key) => await fenced.delete?.(key),
    load: async (key) => {
      const entries = await reading.load(key);
      expect((await fenced.load(key))?.length).toBe(entries?.length);
      return entries;
    },
  };
}

describeSessionStore('the transcripts of a journal in memory', openStore, {
  describe,
  it,
  methods: ['delete', 'listSessions', 'listSubkeys'],
});
