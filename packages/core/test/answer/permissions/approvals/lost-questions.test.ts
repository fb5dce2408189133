// A host waits for a question, and another process removes it, or breaks the folder it is in.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi, type MockInstance } from 'vitest';
import type { Approval, ApprovalStore } from '../../../../src/answer/permissions/approvals/approval.js';
import { createApprovals, type Approvals } from '../../../../src/answer/permissions/approvals/approvals.js';
import { createMemoryApprovalStore } from '../../../../src/answer/permissions/approvals/memory-approval-store.js';
import { allow } from '../../../../src/answer/permissions/decisions.js';
import { createFileApprovalStore } from '@inboard/inboard/index.js';
import { AbortError } from '../../../../src/errors.js';
import { waitUntil } from '../../../../../../test/support/wait-until.js';

let parent: string;
let folder: string;
let host: Approvals;
let clerk: Approvals;
/** How often the host has found its question. */
let reads: number;
/** Whether the host has done with storing it. */
let isStored: boolean;
let emitWarning: MockInstance<typeof process.emitWarning>;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'inboard-lost-'));
  folder = join(parent, 'questions');
  const store = createFileApprovalStore(folder);
  reads = 0;
  const get = async (id: string): Promise<Approval | undefined> => {
    const found = await store.get(id);
    if (found) reads += 1;
    return found;
  };
  isStored = false;
  const put: ApprovalStore['put'] = async (question) => {
    const given = await store.put(question);
    isStored = true;
    return given;
  };
  host = createApprovals({ store: { ...store, get, put } });
  clerk = createApprovals({ store: createFileApprovalStore(folder) });
  emitWarning = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
});
afterEach(() => {
  host.close();
  clerk.close();
  emitWarning.mockRestore();
  rmSync(parent, { recursive: true, force: true });
});

const warnings = (code: string): string[] =>
  emitWarning.mock.calls.flatMap(([message, options]) => (options?.code === code ? [String(message)] : []));
const failures = (): string[] => warnings('APPROVAL_STORE_FAILED');

/** Asks, and waits until the question can be seen; `state` tells what became of it. */
async function ask(): Promise<{ answer: Promise<unknown>; state: { ended: boolean } }> {
  const state = { ended: false };
  const answer = host.ask({ id: 'pay', title: 'Pay?' }).finally(() => (state.ended = true));
  answer.catch(() => {});
  await waitUntil(async () => isStored && (await clerk.list()).length === 1);
  return { answer, state };
}

describe('a question that is removed', () => {
  it.each<[string, () => unknown]>([
    ['through another queue', () => clerk.remove('pay')],
    ['as a file', () => rmSync(join(folder, 'pay.question.json'))],
    ['by another process', () => execFileSync('rm', [join(folder, 'pay.question.json')])],
  ])('%s ends the wait with an AbortError', async (_how, remove) => {
    const { answer } = await ask();
    await remove();
    await expect(answer).rejects.toThrow(AbortError);
    await expect(answer).rejects.toThrow('The question was removed');
    expect(failures()).toEqual([]);
  });

  it('ends the wait of a permission question in the same way', async () => {
    const signal = new AbortController().signal;
    const answer = host.canUseTool('pay', {}, { signal, callKey: 'k', requestId: 'r', toolUseID: 't' });
    answer.catch(() => {});
    await waitUntil(async () => (await clerk.list()).length === 1);
    await clerk.remove('k');
    await expect(answer).rejects.toThrow(AbortError);
  });

  it('in a store of its own, which does not find it any more, ends the wait', async () => {
    const store = createMemoryApprovalStore();
    const [one, other] = [createApprovals({ store: { ...store } }), createApprovals({ store: { ...store } })];
    const answer = one.ask({ id: 'pay', title: 'Pay?' });
    answer.catch(() => {});
    await waitUntil(async () => (await other.list()).length === 1);
    await other.remove('pay');
    await expect(answer).rejects.toThrow(AbortError);
  });

  it('is not one that the store has not got yet', async () => {
    const store = createMemoryApprovalStore();
    let write = (): void => {};
    const written = new Promise<void>((resolve) => (write = resolve));
    let change = (): void => {};
    const looks = vi.fn((id: string) => store.get(id));
    const slow: ApprovalStore = {
      ...store,
      get: looks,
      put: async (question) => {
        await written;
        return await store.put(question);
      },
      watch: (onChange) => {
        change = onChange;
        return store.watch(onChange);
      },
    };
    const approvals = createApprovals({ store: slow });
    const answer = approvals.ask({ id: 'pay', title: 'Pay?' });
    change();
    await waitUntil(() => looks.mock.calls.length > 0);
    write();
    await waitUntil(() => approvals.answer('pay', allow()));
    expect(await answer).toEqual(allow());
  });

  it('is not one whose file is damaged: that is named, and the question waits', async () => {
    const { answer, state } = await ask();
    writeFileSync(join(folder, 'pay.question.json'), '{');
    // So that the folder is looked at, too.
    writeFileSync(join(folder, 'other'), '');
    await waitUntil(() => warnings('APPROVAL_FILE_IGNORED').length > 0);
    expect(state.ended).toBe(false);
    host.close();
    await expect(answer).rejects.toMatchObject({ code: 'PERMISSION_UNAVAILABLE' });
  });
});

const onPosix = process.platform !== 'win32';
const BREAKS: [string, { break: () => void; repair: () => void; cause: string }][] = [
  [
    'deleted',
    {
      break: () => rmSync(folder, { recursive: true }),
      repair: () => mkdirSync(folder, { mode: 0o700 }),
      cause: 'ENOENT',
    },
  ],
  [
    'moved away',
    {
      break: () => renameSync(folder, `${folder}-moved`),
      repair: () => renameSync(`${folder}-moved`, folder),
      cause: 'ENOENT',
    },
  ],
  [
    'replaced by a file',
    {
      break: () => {
        rmSync(folder, { recursive: true });
        writeFileSync(folder, '');
      },
      repair: () => {
        rmSync(folder);
        mkdirSync(folder, { mode: 0o700 });
      },
      cause: 'ENOTDIR',
    },
  ],
  ...(onPosix
    ? [
        [
          'opened to everybody',
          {
            break: () => chmodSync(folder, 0o777),
            repair: () => chmodSync(folder, 0o700),
            cause: 'chmod go-w',
          },
        ] as [string, { break: () => void; repair: () => void; cause: string }],
      ]
    : []),
];

describe('a folder that is', () => {
  it.each(BREAKS)('%s is reported once, and the wait goes on until it is repaired', async (_how, harm) => {
    const { answer, state } = await ask();
    for (const times of [1, 2]) {
      harm.break();
      await waitUntil(() => failures().length === times);
      expect(failures().at(-1)).toContain(harm.cause);
      expect(failures().at(-1)).toContain(folder);
      expect(state.ended).toBe(false);
      harm.repair();
      // The question is there, or there again.
      await waitUntil(() => readdirSync(folder).includes('pay.question.json'));
      // Only after a look that worked is the next failure another one.
      if (times === 1) await waitUntilRead();
    }
    await waitUntil(() => clerk.answer('pay', allow()));
    expect(await answer).toEqual(allow());
    expect(failures()).toHaveLength(2);
  });
});

/** Waits until the host has found its question twice: a second look begins when the first has ended. */
async function waitUntilRead(): Promise<void> {
  const before = reads;
  let ticks = 0;
  await waitUntil(() => {
    writeFileSync(join(folder, `tick-${(ticks += 1)}`), '');
    return reads >= before + 2;
  });
}
