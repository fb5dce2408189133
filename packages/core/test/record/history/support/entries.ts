// Entries of transcripts, as the CLI writes them, with ids one can read.

/** A line of a transcript. */
export type Line = Record<string, unknown>;

/** The session most cases are about. */
export const SESSION = idOf(1);

/** A uuid that ends in a number. */
export function idOf(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}

/** The number in such a uuid. */
export function numberOf(id: string): number {
  return Number(id.slice(-12));
}

/** Where an entry hangs: the number of its parent, or null. */
export type Parent = number | null;

/** A message of the user. */
export function user(number: number, content: unknown, more: Line & { parent?: Parent } = {}): Line {
  return createEntry('user', number, { message: { role: 'user', content }, ...more });
}

/** A reply of the model. */
export function assistant(number: number, text: string, more: Line & { parent?: Parent } = {}): Line {
  const content = [{ type: 'text', text }];
  const timestamp = '2025-01-02T03:04:06.000Z';
  return createEntry('assistant', number, { timestamp, message: { role: 'assistant', content }, ...more });
}

/** One part of a reply with tool calls; parts of one reply have the same `reply`. */
export function toolCall(
  number: number,
  { reply, tools, ...more }: Line & { reply?: string; tools: readonly string[]; parent?: Parent },
): Line {
  const content = tools.map((id) => ({ type: 'tool_use', id, name: 'Bash', input: {} }));
  return createEntry('assistant', number, { message: { id: reply, role: 'assistant', content }, ...more });
}

/** What a tool gave back. */
export function toolResult(number: number, tool: string, more: Line & { parent?: Parent } = {}): Line {
  return user(number, [{ type: 'tool_result', tool_use_id: tool, content: 'done' }], more);
}

/** An entry of any type. */
export function createEntry(
  type: string,
  number: number,
  { parent = null, ...more }: Line & { parent?: Parent } = {},
): Line {
  return {
    type,
    uuid: idOf(number),
    parentUuid: parent === null ? null : idOf(parent),
    sessionId: SESSION,
    isSidechain: false,
    cwd: '/x/y',
    gitBranch: 'main',
    timestamp: '2025-01-02T03:04:05.000Z',
    ...more,
  };
}

/** The mark of a compaction. */
export function boundary(number: number, compactMetadata: Line = {}, more: Line = {}): Line {
  return createEntry('system', number, {
    subtype: 'compact_boundary',
    compactMetadata: { trigger: 'manual', ...compactMetadata },
    ...more,
  });
}

/** Lines that say nothing, for a transcript of some size. */
export function filler(bytes: number): string {
  const line = `{"type":"filler","x":"${'f'.repeat(900)}"}\n`;
  return line.repeat(Math.ceil(bytes / line.length));
}

/** Lines as the text of a file; strings are taken as they are. */
export function textOf(lines: string | readonly (string | Line)[]): string {
  if (typeof lines === 'string') return lines;
  return lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');
}
