// The job as a program. `npm start` makes one run now; `npm start -- --at 02:00` stays and makes one every night. A run that
// is told to stop ends its tenants, and reports what was not finished.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startOffline } from 'inboard/testing';
import { createBackoff } from './backoff.ts';
import { sendMail } from './mail.ts';
import { createOfflineScript } from './offline.ts';
import { renderReport } from './report.ts';
import { runNight } from './run-night.ts';
import { everyNight, systemClock as clock } from './schedule.ts';
import { lastNight, openStore, takeJob } from './store.ts';
import { readTenants } from './tenants.ts';

const ROOT = join(import.meta.dirname, '..');
const stop = new AbortController();
process.once('SIGINT', () => stop.abort(130)).once('SIGTERM', () => stop.abort(143));

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { at: { type: 'string' }, tenants: { type: 'string' } } });
  const folder = process.env['DATA_DIR'] ?? join(ROOT, 'data');
  const tenants = readTenants(values.tenants ?? join(ROOT, 'tenants.json'));
  const store = await openStore(folder, tenants);
  const run = async (night: string, missed: string[]): Promise<void> => {
    const offline = process.env['ANTHROPIC_API_KEY'] ? undefined : await startOffline(createOfflineScript());
    console.log(`Run of ${night}; model: ${offline ? 'a script (no ANTHROPIC_API_KEY)' : 'the real one'}.`);
    // The CLI tries once more by itself, and says how long the service asked it to wait; then it is our turn.
    const env = { ...(offline?.options.env ?? process.env), CLAUDE_CODE_MAX_RETRIES: '1' };
    const options = { ...offline?.options, env, tools: [], settingSources: [], strictMcpConfig: true };
    const job = { night, folder, store, tenants, options, stop: stop.signal };
    try {
      const results = await runNight({ ...job, backoff: createBackoff(clock) });
      process.exitCode = results.some(({ status }) => /fail|not/.test(status)) ? 1 : 0;
      const report = renderReport(night, folder, results, missed);
      writeFileSync(join(folder, 'report.html'), report.html);
      await store.execute('INSERT INTO nights VALUES (?) ON CONFLICT DO NOTHING', [night]);
      console.log(`\n${report.text}`);
      console.log(`The mail was ${await sendMail(report, folder)}.`);
    } finally {
      await offline?.close({ verify: false });
    }
  };
  const letGo = await takeJob(folder);
  try {
    if (values.at) await everyNight(values.at, run, clock, stop.signal, await lastNight(store));
    else await run(new Date().toISOString().slice(0, 19).replaceAll(':', '-'), []);
  } finally {
    letGo();
    store.close();
  }
}

await main().catch((error: unknown) => {
  process.exitCode = 1;
  if (!stop.signal.aborted) console.error(error instanceof Error ? error.message : error);
});
if (stop.signal.aborted) process.exitCode = Number(stop.signal.reason);
