// Counts what a session costs its host while a page does not read its events.
import { describe, expect, it } from 'vitest';
import type { InspectedSession, WireTap } from '@inboard/core/live/watch/inspected-session.js';
import { LiveScene } from '../support/live-scene.js';

const line = (n: number): string => JSON.stringify({ type: 'assistant', n, text: 'x'.repeat(200) });

/** A session that says what the test says. */
function createSession(): { session: InspectedSession; tap: () => WireTap } {
  let tapped: WireTap | undefined;
  const session: InspectedSession = {
    kind: 'query',
    title: 'A flood',
    redact: undefined,
    environment: () => ({}),
    sessionId: () => undefined,
    tap: (tap) => {
      tapped = tap;
      tap.begin({ claudeCodeVersion: null, pid: null, cwd: null, isLate: false });
      return () => (tapped = undefined);
    },
    pendingCalls: () => [],
    watchPending: () => () => {},
    completeCall: async () => {},
    watchQuestions: () => () => {},
    request: async () => undefined,
    send: async () => {},
    can: () => ({ send: false, control: false, rewind: false }),
    serverNames: () => [],
    askServer: async () => undefined,
  };
  return { session, tap: () => tapped as WireTap };
}

describe('a flood of lines', () => {
  it('rests in a bounded part of memory, and is told from the first to the last to a page that comes later', async () => {
    const { session, tap } = createSession();
    await using scene = new LiveScene();
    scene.source.add(session);
    const count = 8_000;
    for (let n = 1; n <= count; n += 1) {
      tap().line('in', line(n));
      // As often as a pipe gives the loop a turn.
      if (n % 250 === 0) await new Promise(setImmediate);
    }
    expect(scene.source.sessions()).toMatchObject([{ id: 's1' }]);
    expect(scene.source.restingCharacters).toBeLessThan(257 * 1024);
    const { lines, next } = await scene.source.read('s1', 0, 3);
    expect(lines).toHaveLength(3);
    expect(next).toBe(3);
    const all = await scene.events();
    // The opening and the header come first.
    expect(all.map(({ n }) => n)).toEqual(Array.from({ length: count + 2 }, (_, index) => index + 1));
    expect(all.at(-1)?.event).toMatchObject({ type: 'frame', frame: { n: count } });
    expect(scene.pushed).toHaveLength(all.length);
  });

  it('is cut for the page where a text is long, and whole for who asks', async () => {
    const { session, tap } = createSession();
    await using scene = new LiveScene();
    scene.source.add(session);
    const text = 'y'.repeat(50_000);
    tap().line('in', JSON.stringify({ type: 'assistant', text }));
    const cut = (await scene.events()).at(-1);
    expect(cut).toMatchObject({ n: 3, isCut: true });
    expect(JSON.stringify(cut).length).toBeLessThan(10_000);
    const whole = JSON.parse((await scene.source.readWhole('s1', 3)) ?? '') as { frame: { text: string } };
    expect(whole.frame.text).toBe(text);
    expect(await scene.source.readWhole('s1', 99)).toBeUndefined();
    expect(await scene.source.readWhole('s9', 3)).toBeUndefined();
    expect(await scene.source.read('s9', 0, 10)).toEqual({ lines: [], next: undefined });
  });
});
