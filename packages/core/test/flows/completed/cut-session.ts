// A session whose turn was cut off with one open call, about which a permission was asked, in a store or on disk.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFileCallRecords } from '../../../src/record/calls/file/file-call-records.js';
import { InMemorySessionStore } from '../../../src/record/history/store/in-memory-session-store.js';
import { findProjectKey } from '../../../src/record/history/store/stored-entries.js';
import { nameThisProcess } from '../../../src/wire/process/process-name.js';
import type { CallFact } from '../../../src/wire/protocol/config/call-records.js';

export const SESSION = '00000000-0000-4000-8000-0000000000d5';
const PROMPT = '00000000-0000-4000-8000-0000000000d6';
export const CALL = 'toolu_cut';
/** Of the same machine, before it was started anew. */
const GONE = JSON.stringify({ ...(JSON.parse(nameThisProcess()) as object), boot: 'before' });

const TOOL = { toolName: 'mcp__shop__pay', input: { order: '7' } };
export const COVERED: CallFact = { type: 'covers', message: PROMPT, owner: GONE, at: 0 };
export const ASKED: CallFact = {
  type: 'asked',
  callKey: `key ${CALL}`,
  toolUseId: CALL,
  ...TOOL,
  question: {},
  at: 1,
};
export const BEGUN: CallFact = {
  type: 'begun',
  callKey: `key ${CALL}`,
  toolUseId: CALL,
  ...TOOL,
  attempt: 1,
  owner: GONE,
  at: 3,
};

/** The entries of the transcript. */
export function createEntries(cwd: string): Record<string, unknown>[] {
  const common = { sessionId: SESSION, isSidechain: false, userType: 'external', cwd, version: '2.1.325' };
  const called = { type: 'tool_use', id: CALL, name: TOOL.toolName, input: TOOL.input };
  return [
    {
      ...common,
      type: 'user',
      uuid: PROMPT,
      parentUuid: null,
      timestamp: new Date(1e12).toISOString(),
      message: { role: 'user', content: 'Pay order 7.' },
    },
    {
      ...common,
      type: 'assistant',
      uuid: '00000000-0000-4000-8000-0000000000a1',
      parentUuid: PROMPT,
      timestamp: new Date(1e12 + 1).toISOString(),
      message: {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'claude',
        content: [called],
        stop_reason: 'tool_use',
        usage: {},
      },
    },
  ];
}

/** In a store that keeps records, with these facts. */
export async function createCutStore(facts: readonly CallFact[] = [COVERED, ASKED]) {
  const store = new InMemorySessionStore();
  const key = { projectKey: await findProjectKey(process.cwd()), sessionId: SESSION };
  await store.append(key, createEntries(process.cwd()) as never);
  for (const fact of facts) await store.calls(key).add(fact);
  const results = async (): Promise<unknown[]> =>
    JSON.stringify(await store.load(key)).match(/"type":"tool_result"/g) ?? [];
  return { store, key, results };
}

/** On disk, in a config folder. */
export async function createCutFiles(
  configDir: string,
  cwd: string,
  facts: readonly CallFact[] = [COVERED, ASKED],
) {
  const project = join(configDir, 'projects', await findProjectKey(cwd));
  mkdirSync(project, { recursive: true });
  const path = join(project, `${SESSION}.jsonl`);
  writeFileSync(
    path,
    createEntries(cwd)
      .map((entry) => `${JSON.stringify(entry)}\n`)
      .join(''),
  );
  const records = createFileCallRecords({ folder: join(project, SESSION) });
  for (const fact of facts) await records.add(fact);
  await records.close();
  const read = (): string => readFileSync(path, 'utf8');
  return { path, read, results: () => read().match(/"type":"tool_result"/g) ?? [] };
}
