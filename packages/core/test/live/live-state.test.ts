// Who changes what a live CLI and its parts share: each field belongs to one small object, which alone changes it, and each
// of its methods that change something has the callers that are listed here and no others.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { LiveState } from '../../src/live/live-state.js';

const LIVE = new URL('../../src/live/', import.meta.url);

/** For each object of the state and each method that changes it: the files that call it. */
const CALLERS: Record<string, string[]> = {
  'connection.connect': ['live-start.ts'],
  // A field, since each line asks for it.
  'connection.tap =': ['inspect-live.ts'],
  'connection.write': ['live-wire.ts'],
  'connection.endInput': ['live-input.ts'],
  'connection.terminate': ['live-end.ts'],
  'progress.noteConnected': ['live-start.ts'],
  'progress.noteLaunched': ['live-start.ts'],
  // A CLI may begin to work before it answers the handshake.
  'progress.noteRunning': ['live-wire.ts', 'part-order.ts'],
  'progress.fail': ['live-state.ts'],
  // Changes nothing itself: any part may ask for the end, and `LiveEnd` decides.
  'end.request': ['live-answerers.ts', 'live-input.ts', 'live-parts.ts', 'prompt-feed.ts'],
  'end.onRequest': ['live-end.ts'],
  'end.decide': ['live-end.ts'],
  'end.noteOver': ['live-end.ts'],
  'prompt.announce': ['live-cli.ts'],
  'prompt.noteOpened': ['prompt-feed.ts'],
  'prompt.noteAtHand': ['live-input.ts'],
  'prompt.noteWritten': ['live-input.ts'],
  'prompt.noteHeard': ['live-wire.ts'],
  'prompt.noteBegun': ['prompt-feed.ts'],
  'prompt.fail': ['live-state.ts'],
  'prompt.released': ['prompt-feed.ts'],
  'prompt.hold': ['live-ready.ts'],
  // Everything that waits before it writes keeps the input open.
  'holds.hold': ['control-requests.ts', 'live-ready.ts'],
  'version.begin': ['live-start.ts'],
  'version.note': ['live-parts.ts'],
  // Asks for the version, and changes only how soon it is known.
  'version.learn': ['control-requests.ts', 'live-cli.ts', 'live-input.ts', 'live-ready.ts'],
  'version.end': ['live-state.ts'],
  'partials.wantText': ['live-cli.ts'],
  'partials.decide': ['live-start.ts'],
  'ignored.note': ['live-input.ts'],
};

const OBJECTS = Object.entries(
  new LiveState({ wantsText: false, readsPartials: false, onIgnored: () => {}, onVersionLearned: () => {} }),
) as [name: string, object: object][];

/** What an object has beside its private fields: its getters, setters and methods. */
function listMembers(object: object): [name: string, PropertyDescriptor][] {
  const { constructor: _, ...members } = Object.getOwnPropertyDescriptors(Object.getPrototypeOf(object));
  return Object.entries(members);
}

/** The files that call a method of an object, or assign to its field. */
function findCallers(call: string): string[] {
  const [object, member = ''] = call.split('.');
  const pattern = new RegExp(
    String.raw`\b${object}\??\.${member}${member.endsWith('=') ? '(?!=)' : String.raw`\(`}`,
  );
  return readdirSync(LIVE, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && pattern.test(readFileSync(new URL(file, LIVE), 'utf8')))
    .toSorted();
}

describe('the state of a live CLI', () => {
  it.each(OBJECTS)('is an object without setters: %s', (_name, object) => {
    expect(object).toBeInstanceOf(Object);
    const setters = listMembers(object).filter(([, member]) => typeof member.set === 'function');
    expect(setters).toEqual([]);
  });

  it('is changed by the files that are listed, and by no others', () => {
    const calls = OBJECTS.flatMap(([name, object]) => [
      ...Object.keys(object).map((field) => `${name}.${field} =`),
      ...listMembers(object)
        .filter(([, { value }]) => value !== undefined)
        .map(([method]) => `${name}.${method}`),
    ]);
    expect(Object.fromEntries(calls.map((call) => [call, findCallers(call)]))).toEqual(CALLERS);
  });
});
