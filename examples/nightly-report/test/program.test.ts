// The job as a process: the demonstration, a second process beside it, and SIGTERM in the middle of a run.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gate, held, startOffline, text } from 'inboard/testing';
import { takeJob } from '../src/store.ts';
import { temporaryFolder } from './support.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

function start(env: Record<string, string>, ...words: string[]) {
  const child = spawn(process.execPath, ['--import', 'jiti/register', 'src/main.ts', ...words], {
    cwd: root,
    env: { ...process.env, ANTHROPIC_API_KEY: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (words: string) => (printed += words));
  const ended = once(child, 'close').then(([code]) => ({ code: code as number, printed }));
  return { child, ended };
}

describe('the program', () => {
  it('makes one run now and reports it', async () => {
    const { folder, remove } = temporaryFolder();
    const { code, printed } = await start({ DATA_DIR: folder }).ended;
    assert.equal(code, 0, printed);
    assert.match(printed, /3 of 4 done/);
    assert.match(printed, /Nordlicht Coffee: done\n.*\n.*\n {2}The service was busy \(429\); tried again\./);
    assert.match(
      printed,
      /Quay Street Records: over budget\n {2}Stopped: the budget is spent\.\n {2}\$0\.3636, 727 % of \$0\.05 a month spent,/,
    );
    assert.match(readFileSync(join(folder, 'report.html'), 'utf8'), /Alder &#38; Finch Books/);
    assert.equal(readdirSync(join(folder, 'mails')).length, 1);
    remove();
  });

  it('told to stop, ends its tenants and reports what was not finished; meanwhile no other process runs', async () => {
    const { folder, remove } = temporaryFolder();
    const never = gate();
    await using offline = await startOffline({ onExhausted: held(text('Too late.'), never) });
    const { child, ended } = start({ ...offline.options.env, DATA_DIR: folder });
    await never.reached;

    await assert.rejects(takeJob(folder), /Another process has the job of this folder/);

    child.kill('SIGTERM');
    const { code, printed } = await ended;
    assert.equal(code, 143, printed);
    assert.match(printed, /0 of 4 done/);
    assert.match(printed, /Alder & Finch Books: not finished\n {2}The run was told to stop\./);
    assert.match(printed, /The mail was kept as /);
    // Its recordings end as they should: the CLIs are gone.
    const [night = ''] = readdirSync(join(folder, 'traces'));
    for (const file of readdirSync(join(folder, 'traces', night))) {
      const lines = readFileSync(join(folder, 'traces', night, file), 'utf8')
        .trim()
        .split('\n');
      assert.equal((JSON.parse(lines.at(-1) ?? '{}') as { type?: string }).type, 'end');
    }
    // Nothing holds the folder any more, not even after a kill that nobody can answer.
    const third = start({ ...offline.options.env, DATA_DIR: folder }, '--at', '03:00');
    await once(third.child.stdout, 'data');
    third.child.kill('SIGKILL');
    assert.match((await third.ended).printed, /^Next run: .* 03:00:00/);
    (await takeJob(folder))();
    remove();
  });
});
