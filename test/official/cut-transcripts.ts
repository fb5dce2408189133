// Transcripts with a cut line before, between or after the entries that a list shows, and with each of these entries on the
// edges of the 64 KiB that are read at either end of a large file.
import { END_BYTES } from '../../packages/core/src/record/history/transcript/transcript-ends.js';
import { SESSION } from '../../packages/core/test/record/history/support/entries.js';

/** A transcript as bytes: it may be no UTF-8. */
export interface CutTranscript {
  name: string;
  bytes: Buffer;
}

const PROMPT = {
  type: 'user',
  uuid: '00000000-0000-4000-8000-000000000001',
  sessionId: SESSION,
  cwd: '/a',
  timestamp: '2025-01-01T00:00:00.000Z',
  message: { role: 'user', content: 'the first prompt' },
};

/** The entries of which the last one counts. */
const ENTRIES: Record<string, object> = {
  'a title': { type: 'custom-title', customTitle: 'Renamed', sessionId: SESSION },
  "the model's title": { type: 'ai-title', aiTitle: 'By the model', sessionId: SESSION },
  'the last prompt': { type: 'last-prompt', lastPrompt: 'the last prompt', sessionId: SESSION },
  'a summary': { type: 'summary', summary: 'In short', leafUuid: PROMPT.uuid },
  'a tag': { type: 'tag', tag: 'mark', sessionId: SESSION },
  'a title with letters': { type: 'custom-title', customTitle: 'Tïtle “ü” 😀 \\ "q"', sessionId: SESSION },
};

const FEEDS: Record<string, string> = { LF: '\n', CRLF: '\r\n' };

const line = (value: object): string => JSON.stringify(value);

/** The beginnings of a line, as a process leaves them that is killed while it writes. */
function beginningsOf(text: string): Buffer[] {
  const bytes = Buffer.from(text);
  return Array.from({ length: bytes.length }, (_, end) => bytes.subarray(0, end));
}

/** All of them, by what they are about. */
export function createCutTranscripts(): Record<string, CutTranscript[]> {
  return {
    'an entry glued to the beginning of another': listGlued(),
    'an entry after a cut line of its own': listAfterCut(),
    'an entry cut at the end': listCutEnds(),
    'an entry on the edge of the tail': listEdges('tail'),
    'an entry on the edge of the head': listEdges('head'),
    'bytes that are no UTF-8': listInvalid(),
  };
}

// What is appended to a half-written line becomes a part of it.
function listGlued(): CutTranscript[] {
  const found: CutTranscript[] = [];
  for (const [name, entry] of Object.entries(ENTRIES)) {
    for (const [other, before] of Object.entries({ 'the prompt': PROMPT, ...ENTRIES })) {
      for (const beginning of beginningsOf(line(before)))
        found.push({
          name: `${name} after ${beginning.length} bytes of ${other}`,
          bytes: Buffer.concat([
            Buffer.from(`${line(PROMPT)}\n`),
            beginning,
            Buffer.from(`${line(entry)}\n`),
          ]),
        });
    }
  }
  return found;
}

function listAfterCut(): CutTranscript[] {
  const found: CutTranscript[] = [];
  for (const [name, entry] of Object.entries(ENTRIES)) {
    for (const [feedName, feed] of Object.entries(FEEDS)) {
      for (const beginning of beginningsOf(line(PROMPT)).filter((_, index) => index % 7 === 0))
        found.push({
          name: `${name} on the line after ${beginning.length} bytes of a prompt, ${feedName}`,
          bytes: Buffer.concat([
            Buffer.from(`${line(PROMPT)}${feed}`),
            beginning,
            Buffer.from(`${feed}${line(entry)}${feed}`),
          ]),
        });
    }
  }
  return found;
}

function listCutEnds(): CutTranscript[] {
  return Object.entries(ENTRIES).flatMap(([name, entry]) =>
    beginningsOf(line(entry)).map((beginning) => ({
      name: `${beginning.length} bytes of ${name}`,
      bytes: Buffer.concat([
        Buffer.from(`${line(PROMPT)}\n${line({ type: 'custom-title', customTitle: 'Earlier' })}\n`),
        beginning,
      ]),
    })),
  );
}

// Every byte of the entry comes to stand on the edge once.
function listEdges(end: 'head' | 'tail'): CutTranscript[] {
  const found: CutTranscript[] = [];
  const fill = (length: number): string => `{"type":"filler","x":"${'f'.repeat(Math.max(0, length - 24))}"}`;
  for (const [name, entry] of Object.entries(ENTRIES)) {
    const text = `${line(entry)}\n`;
    const length = Buffer.byteLength(text);
    for (let shift = -2; shift <= length + 2; shift += 1) {
      const [first, last] = [`${line(PROMPT)}\n`, `${line({ type: 'end', y: 1 })}\n`];
      const inside = END_BYTES - shift;
      const bytes =
        end === 'tail'
          ? `${first}${fill(90_000)}\n${text}${fill(inside - last.length - 1)}\n${last}`
          : `${first}${fill(inside - first.length - 1)}\n${text}${fill(90_000)}\n${last}`;
      found.push({ name: `${name}, ${shift} bytes over the edge of the ${end}`, bytes: Buffer.from(bytes) });
    }
  }
  return found;
}

function listInvalid(): CutTranscript[] {
  const found: CutTranscript[] = [];
  const bad = [
    Buffer.of(0xff),
    Buffer.of(0xc3),
    Buffer.of(0xe2, 0x82),
    Buffer.of(0xed, 0xa0, 0x80),
    Buffer.of(0),
  ];
  for (const [name, entry] of Object.entries(ENTRIES)) {
    const text = Buffer.from(`${line(entry)}\n`);
    for (const bytes of bad) {
      for (let at = 0; at < text.length; at += 1)
        found.push({
          name: `${name} with ${bytes.toString('hex')} at ${at}`,
          bytes: Buffer.concat([
            Buffer.from(`${line(PROMPT)}\n`),
            text.subarray(0, at),
            bytes,
            text.subarray(at),
          ]),
        });
    }
  }
  return found;
}
