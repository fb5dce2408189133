// Functions whose first argument may be left out: what stands behind it must not be lost without a word when it is undefined. Which
// functions these are is read from the entry points, so that a new one fails here until it has a row.
import { readdirSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { foldSessionSummary } from '../src/index.js';
import { inspect } from '../src/inspector.js';
import { finishTask, respond } from '../src/testing.js';
import { readSignatures, type Signature } from './read-signatures.js';

// Temporal's library is not installed here, and what is for its workflows imports it when it is loaded.
vi.mock('@temporalio/workflow', async () => {
  const { WORKFLOW_LIBRARY } = await import('./workflow-library-names.js');
  return Object.fromEntries(WORKFLOW_LIBRARY.map((name) => [name, 0]));
});

const ENTRY_POINTS = new URL('../src/', import.meta.url);

/** What a call does that leaves the first argument undefined. */
type Row = { refuses: (...given: never[]) => unknown } | { uses: () => unknown; as: unknown };

const ROWS: Readonly<Record<string, Row>> = {
  inspect: { refuses: inspect },
  foldSessionSummary: {
    uses: () => foldSessionSummary(undefined, { projectKey: 'p', sessionId: 's' }, [], { mtime: 7 }),
    as: { sessionId: 's', mtime: 7 },
  },
  respond: { uses: () => respond(undefined, { to: 'x' }), as: { to: 'x' } },
  finishTask: { uses: () => finishTask(undefined, { summary: 'x' }), as: { summary: 'x' } },
};

/** Functions whose parameters stand in a type of their own. Each was looked at: none can leave its first argument out. */
const READ_BY_HAND = ['core.tool', 'index.tool', 'index.mcpPrompt', 'index.mcpResource'];

/** Functions that an entry point has and that were not read; classes are made with `new`, and refuse by themselves. */
async function listUnread(read: ReadonlyMap<string, unknown>): Promise<string[]> {
  const unread: string[] = [];
  for (const file of readdirSync(ENTRY_POINTS).map((name) => name.replace(/\.ts$/, ''))) {
    const entryPoint = (await import(new URL(`${file}.ts`, ENTRY_POINTS).href)) as Record<string, unknown>;
    for (const [name, value] of Object.entries(entryPoint))
      if (typeof value === 'function' && !/^class\b/.test(String(value)) && !read.has(`${file}.${name}`))
        unread.push(`${file}.${name}`);
  }
  return unread;
}

/** Whether an argument may move: the first can be left out and another follows, or overloads have it in different places. */
function shifts(signatures: readonly Signature[]): boolean {
  const isOptionalFirst = signatures.some((each) => each.length > 1 && each[0]?.isOptional === true);
  const [one, ...others] = signatures;
  const hasMoved = others.some((other) =>
    other.some(({ name }, at) => (one ?? []).some((each, place) => each.name === name && place !== at)),
  );
  return isOptionalFirst || hasMoved || new Set(signatures.map(({ length }) => length)).size > 1;
}

describe('an argument behind one that is left out', () => {
  it('has a row here for every function of every entry point that takes one', async () => {
    const all = readSignatures();
    expect(await listUnread(all)).toEqual(READ_BY_HAND);
    const found = [...all].flatMap(([name, signatures]) =>
      shifts(signatures) ? [name.replace(/^.*\./, '')] : [],
    );
    expect([...new Set(found)].toSorted()).toEqual(Object.keys(ROWS).toSorted());
  });

  it.each(Object.entries(ROWS))('is not lost by %s', async (_name, row) => {
    if ('uses' in row) {
      expect(row.uses()).toMatchObject(row.as as object);
      return;
    }
    const call = row.refuses as (...given: unknown[]) => Promise<unknown>;
    const lost = { readOnly: true, port: 0, print: false };
    for (const first of [undefined, null, {}, { port: 0, print: false }, 'x', []])
      for (const second of [lost, {}, null, 'x'])
        await expect(
          (async () => await call(first, second))(),
          JSON.stringify([first, second]),
        ).rejects.toMatchObject({
          code: 'INVALID_OPTIONS',
          message: expect.stringContaining('would ignore its second argument') as string,
        });
  });
});

it('inspect() names what it would have lost, and what to write instead', async () => {
  await expect(inspect(undefined as never, { readOnly: true, port: 0 })).rejects.toMatchObject({
    options: ['readOnly', 'port'],
    message: expect.stringContaining('inspect({ readOnly: true })') as string,
  });
  await expect(inspect({ port: 0 } as never, { readOnly: true })).rejects.toThrow(/but an object\./);
  for (const first of [null, 'x', 5, []])
    await expect(inspect(first as never)).rejects.toMatchObject({ code: 'INVALID_OPTIONS' });
});
