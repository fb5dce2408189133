// One completion of 40 is taken, although they come at once from several processes.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createFileCallRecords } from '../../../src/record/calls/file/file-call-records.js';
import { foldFacts } from '../../../src/record/calls/fold-facts.js';
import { buildSource, type BuiltSource } from '../../../../../test/support/build-source.js';

const PROGRAM = fileURLToPath(
  new URL('../../../../../test/fixtures/children/complete-call.mjs', import.meta.url),
);
const SESSION = '00000000-0000-4000-8000-0000000000e4';
const PROCESSES = 5;
const EACH = 8;
const TIMEOUT_MS = 90_000;

let built: BuiltSource;
let folder: string;
beforeAll(() => {
  built = buildSource('inboard/src/index.ts');
  folder = mkdtempSync(join(tmpdir(), 'complete-'));
}, TIMEOUT_MS);
afterAll(() => {
  built.remove();
  rmSync(folder, { recursive: true, force: true });
});

it(
  'takes one of 40',
  async () => {
    const own = join(folder, 'projects', '-shop', SESSION);
    mkdirSync(own, { recursive: true });
    await using records = createFileCallRecords({ folder: own });
    const call = { callKey: 'call_1', toolName: 'mcp__shop__order', input: {} };
    await records.add({ type: 'begun', ...call, attempt: 1, owner: 'host', at: 1 });
    await records.add({ type: 'pending', callKey: 'call_1', at: 2 });
    const start = async (index: number) => {
      const given = {
        options: { env: { CLAUDE_CONFIG_DIR: folder } },
        callKey: 'call_1',
        value: index,
        by: `process ${index}`,
        times: EACH,
      };
      const child = fork(PROGRAM, [built.folder, JSON.stringify(given)], { silent: true });
      let said = '';
      child.stdout?.on('data', (data: Buffer) => (said += data.toString()));
      const closed = once(child, 'close').then(() => said.trim().split('\n'));
      await once(child, 'message');
      return { go: () => child.send('go'), closed };
    };
    const children = await Promise.all(Array.from({ length: PROCESSES }, (_, index) => start(index)));
    for (const { go } of children) go();
    const said = (await Promise.all(children.map(({ closed }) => closed))).flat();
    const expected = ['ok', ...Array.from({ length: PROCESSES * EACH - 1 }, () => 'CALL_ENDED')];
    expect(said.toSorted()).toEqual(expected.toSorted());
    const { ended } = foldFacts(await records.load()).get('call_1') ?? {};
    expect(ended?.by).toMatch(/^process \d \d$/);
  },
  TIMEOUT_MS,
);
