// What the tests have in common: a run in a folder of its own on the real CLI, and a clock that does not wait.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startOffline, type ModelContext, type Reply } from 'inboard/testing';
import { createBackoff } from '../src/backoff.ts';
import { runNight, type Night } from '../src/run-night.ts';
import type { Clock } from '../src/schedule.ts';
import { openStore } from '../src/store.ts';
import type { Tenant } from '../src/tenants.ts';

/** A clock that stands still until somebody sleeps, and remembers for how long. */
export function createFakeClock(start = 0): Clock & { waits: number[]; set(ms: number): void } {
  let now = start;
  const waits: number[] = [];
  return {
    waits,
    now: () => now,
    set: (ms) => void (now = ms),
    sleep: async (ms, signal) => {
      signal.throwIfAborted();
      waits.push(ms);
      now += ms;
    },
  };
}

export function temporaryFolder(): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'nightly-report-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export const tenant = (id: string, budgetUsd = 5): Tenant => ({ id, name: `Shop ${id}`, budgetUsd });

/** A run for these tenants in a folder; `answer` is the model of each, told apart by the name in the prompt. */
export async function playNight(
  folder: string,
  tenants: Tenant[],
  answer: (id: string, request: ModelContext) => Reply | Promise<Reply>,
  more: Partial<Pick<Night, 'limits' | 'night' | 'stop'>> = {},
) {
  const store = await openStore(folder, tenants);
  const clock = createFakeClock();
  await using offline = await startOffline({
    onExhausted: (request) => answer(/Shop ([a-z]+)/.exec(request.userText)?.[1] ?? '', request),
  });
  try {
    const results = await runNight({
      night: '2026-11-16',
      folder,
      store,
      tenants,
      stop: new AbortController().signal,
      options: {
        ...offline.options,
        env: { ...offline.options.env, CLAUDE_CODE_MAX_RETRIES: '1' },
        tools: [],
      },
      backoff: createBackoff(clock, { random: () => 0.5, baseMs: 2000 }),
      ...more,
    });
    return { results, waits: clock.waits, requests: offline.model.requests };
  } finally {
    store.close();
  }
}
