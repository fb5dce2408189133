// Transcripts for the tests of completion: recorded ones of both CLIs, and ones that are put together entry by entry.
import { readFileSync } from 'node:fs';
import type { SessionStoreEntry } from '../../../../src/wire/protocol/config/session-store.js';

/** The CLIs with recordings. */
export const VERSIONS = ['2.1.325', '2.1.33'] as const;

/** What was recorded of each: how a turn with calls of in-process tools was cut off. */
export const RECORDINGS = [
  'open',
  'two-open-with-thinking',
  'three-one-ended',
  'open-after-compaction',
  'question-closed',
  'two-questions-closed',
  'handler-lost',
] as const;

/** A recorded transcript. */
export function readRecording(version: string, name: string): SessionStoreEntry[] {
  const file = new URL(`../../../../../../test/fixtures/calls/${version}/${name}.jsonl`, import.meta.url);
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as SessionStoreEntry);
}

/** The id of the session a transcript is of. */
export function sessionOf(entries: readonly SessionStoreEntry[]): string {
  return String(entries.find(({ sessionId }) => sessionId !== undefined)?.['sessionId']);
}

/** What a tool is said to have given for a call. */
export function resultFor(name: string): { content: unknown[] } {
  return { content: [{ type: 'text', text: `result of ${name}` }] };
}

/** What each CLI writes for a call when its host is gone, and the newest at a resume. */
export const FALSE_RESULTS = [
  'Tool permission request failed: AbortError: Tool permission stream closed before response received',
  'Tool permission request failed: Error: Tool permission stream closed before response received',
  'Tool permission stream closed before response received',
  'The tool call was interrupted before a result was received. It may or may not have completed.',
  '[Tool call interrupted: the session ended before its result, so its outcome is unknown.]',
];

/** Puts a transcript together. Ids are short and readable; each entry is a second later than the one before, unless told otherwise. */
export class TranscriptBuilder {
  readonly entries: SessionStoreEntry[] = [];
  /** The entry that the next one hangs below. */
  leaf: string | null = null;
  #count = 0;
  #time = Date.parse('2026-01-01T00:00:00.000Z');

  add(type: string, fields: Record<string, unknown> = {}, parent = this.leaf): string {
    this.#count += 1;
    this.#time += 1000;
    const uuid = `${type}-${this.#count}`;
    const timestamp = new Date(this.#time).toISOString();
    this.entries.push({
      type,
      uuid,
      parentUuid: parent,
      sessionId: 's',
      isSidechain: false,
      timestamp,
      ...fields,
    });
    if (fields['isSidechain'] !== true) this.leaf = uuid;
    return uuid;
  }

  /** An entry that is no part of the tree. */
  note(entry: SessionStoreEntry): void {
    this.entries.push({ sessionId: 's', ...entry });
  }

  prompt(text: string): string {
    return this.add('user', { message: { role: 'user', content: [{ type: 'text', text }] } });
  }

  says(text: string, messageId: string, model = 'claude'): string {
    const content = [{ type: 'text', text }];
    return this.add('assistant', { message: { id: messageId, model, role: 'assistant', content } });
  }

  thinks(messageId: string): string {
    const content = [{ type: 'thinking', thinking: 'Hm.', signature: 'sig' }];
    return this.add('assistant', {
      message: { id: messageId, model: 'claude', role: 'assistant', content },
    });
  }

  calls(toolUseId: string, messageId: string, input: unknown = { of: toolUseId }): string {
    const content = [{ type: 'tool_use', id: toolUseId, name: 'refund', input }];
    return this.add('assistant', {
      message: { id: messageId, model: 'claude', role: 'assistant', content, stop_reason: 'tool_use' },
    });
  }

  returns(toolUseId: string, content: unknown, { isError = false, parent = this.leaf } = {}): string {
    const block = {
      type: 'tool_result',
      tool_use_id: toolUseId,
      content,
      ...(isError && { is_error: true }),
    };
    return this.add('user', { message: { role: 'user', content: [block] } }, parent);
  }
}
