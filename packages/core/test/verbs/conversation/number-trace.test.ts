import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { numberTrace } from '../../../src/verbs/conversation/start-planner.js';

describe('the trace of a session with several CLIs', () => {
  const file = join('traces', 'a.jsonl');

  it('is one file for each', () => {
    expect([1, 2, 3].map((start) => numberTrace(file, start))).toEqual([
      file,
      join('traces', 'a-2.jsonl'),
      join('traces', 'a-3.jsonl'),
    ]);
    expect(numberTrace({ file, flushMs: 0 }, 2)).toEqual({ file: join('traces', 'a-2.jsonl'), flushMs: 0 });
  });

  it('goes to the same folder or sink', () => {
    const sink = { write: () => {}, close: () => {} };
    expect(numberTrace('traces/', 2)).toBe('traces/');
    expect(numberTrace(tmpdir(), 2)).toBe(tmpdir());
    expect(numberTrace(sink as never, 2)).toBe(sink);
  });
});
