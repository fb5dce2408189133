// Long events on their way to a page: what is kept, and that what is missing is said where it is missing.
import { describe, expect, it } from 'vitest';
import { decodeNumbered } from '../../../src/inspector/stream/event-codec.js';
import { byteLength, cutLine, CUT_MARK } from '../../../src/inspector/stream/cut-line.js';

/** The frame of a line. */
const frameIn = (line: string): Record<string, string & string[]> =>
  (JSON.parse(line) as { frame: Record<string, string & string[]> }).frame;

const frameOf = (frame: unknown): string => JSON.stringify({ type: 'frame', t: 1, dir: 'in', frame });

describe('a line on its way to a page', () => {
  it('stays as it was recorded where it is short, to the last character', () => {
    const json = '{"type":"frame","t":1.50,"dir":"in","frame":{"a":1e2}}';
    expect(cutLine(7, 's', json)).toBe(
      '{"n":7,"s":"s","type":"frame","t":1.50,"dir":"in","frame":{"a":1e2}}',
    );
  });

  it('loses the ends of its long texts, which say how much', () => {
    const text = 'ä'.repeat(5000);
    const json = frameOf({ type: 'user', short: 'kept', text });
    const line = cutLine(7, 's', json, 1000);
    const decoded = decodeNumbered(line);
    expect(line.length).toBeLessThan(1200);
    expect(decoded).toMatchObject({ n: 7, isCut: true, bytes: byteLength(json) });
    const frame = frameIn(line) as { short: string; text: string };
    expect(frame.short).toBe('kept');
    const missing = Number(CUT_MARK.exec(frame.text)?.[1]);
    expect(frame.text.replace(CUT_MARK, '').length + missing).toBe(text.length);
  });

  it('gives each of many texts less', () => {
    const json = frameOf({ texts: Array.from({ length: 20 }, () => 'x'.repeat(900)) });
    const line = cutLine(1, 's', json, 4000);
    expect(line.length).toBeLessThan(4200);
    const frame = frameIn(line) as { texts: string[] };
    expect(frame.texts).toHaveLength(20);
    for (const text of frame.texts) expect(text).toMatch(CUT_MARK);
  });

  it('keeps the beginning of what is long without long texts', () => {
    const json = frameOf({ numbers: Array.from({ length: 5000 }, (_, index) => index) });
    const decoded = decodeNumbered(cutLine(1, 's', json, 2000));
    expect(decoded).toMatchObject({ isCut: true, bytes: json.length });
    expect(decoded?.event).toMatchObject({
      type: 'frame',
      t: 1,
      dir: 'in',
      truncated: { bytes: json.length },
    });
  });

  it('is cut at any depth', () => {
    const json = `{"type":"frame","t":1,"dir":"in","frame":{"a":${'['.repeat(20_000)}"${'x'.repeat(9000)}"${']'.repeat(20_000)}}}`;
    expect(decodeNumbered(cutLine(1, 's', json, 4000))).toMatchObject({ isCut: true, bytes: json.length });
    expect(decodeNumbered(cutLine(1, 's', json, 44_000))).toMatchObject({ isCut: true });
  });
});
