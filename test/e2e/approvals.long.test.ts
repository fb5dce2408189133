// Approvals on both CLIs, and their files when a process is killed while it writes them.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FileApprovalStore } from '../../packages/core/src/answer/permissions/approvals/file-approval-store.js';
import { buildSource } from '../support/build-source.js';
import { waitUntil } from '../support/wait-until.js';
import { approvalCases } from './cases/approvals.js';
import { forEachCli } from './support/cases.js';
import { newCli, oldCli } from './support/cli.js';

forEachCli([newCli, oldCli], approvalCases);

it('has only whole questions and answers after processes were killed while they wrote', async () => {
  const built = buildSource('core/src/answer/permissions/approvals/file-approval-store.ts');
  const folder = mkdtempSync(join(tmpdir(), 'inboard-approvals-'));
  const writer = `
    const { FileApprovalStore } = await import(${JSON.stringify(`file://${built.file}`)});
    const store = new FileApprovalStore(${JSON.stringify(folder)});
    const name = process.argv.at(-1);
    for (let count = 0; ; count += 1) {
      const input = { text: name.repeat(3_000) };
      await store.put({ id: 'shared_' + (count % 40), kind: 'permission', attempt: count, askedAt: 1, input });
      await store.answer('shared_' + (count % 40), { result: { behavior: 'deny', message: name.repeat(3_000) }, answeredAt: 1, by: name });
      if (count % 40 === 39) process.stdout.write('.');
    }`;
  try {
    const taken = new Map<string, string>();
    for (let round = 0; round < 6; round += 1) {
      const children = ['a', 'b'].map((name) =>
        spawn(process.execPath, ['--input-type=module', '-e', writer, `${name}${round}`], {
          stdio: ['ignore', 'pipe', 'inherit'],
        }),
      );
      const isBusy = children.map(() => false);
      for (const [index, child] of children.entries()) child.stdout?.on('data', () => (isBusy[index] = true));
      await waitUntil(() => isBusy.every(Boolean), 60_000);
      const gone = children.map((child) => new Promise((resolve) => child.on('exit', resolve)));
      for (const child of children) child.kill('SIGKILL');
      await Promise.all(gone);
      for (const name of readdirSync(folder).filter((each) => each.endsWith('.json'))) {
        expect(() => JSON.parse(readFileSync(join(folder, name), 'utf8')) as unknown).not.toThrow();
      }
      for (const { id, answer, input } of await new FileApprovalStore(folder).list()) {
        expect(String(input['text']).length).toBe(6_000);
        // The first answer stays; later ones are ignored.
        if (taken.has(id)) expect(answer?.by).toBe(taken.get(id));
        if (answer?.by !== undefined) taken.set(id, answer.by);
      }
    }
    expect(taken.size).toBe(40);
  } finally {
    built.remove();
    rmSync(folder, { recursive: true, force: true });
  }
});
