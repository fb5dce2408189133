// A host with everything in memory: all lives are in one process. A life ends with its CLI, or, where there is none or the cell says
// so, by being abandoned; then another session of this process goes on. The person who answers is in this process, too.
import { createKillPoints } from './kill-points.mjs';
import { hookCli } from './hook-files.mjs';
import { converse } from './converse.mjs';
import { answerQuestions } from './person.mjs';
import { createShop } from './shop.mjs';
import { watchStore } from './watch-store.mjs';

const plan = JSON.parse(process.env.CALL_FAULTS_PLAN);
const isAbandoned = plan.cell.records === 'memory, abandoned';
const keys = new Map();
let life = 0;
let session;
let abandoned = Promise.resolve();
const create = () =>
  createKillPoints({ file: plan.files.notes, life: life + 1, kill: plan.kills[life], die: strike, keys });
let current = create();
const points = () => current;
const cli = hookCli({ note: (...all) => current.note(...all), reach: (...all) => current.reach(...all) });

/** Ends the life under way; the next one dies where the plan says. */
function strike() {
  life += 1;
  current = create();
  const pid = cli.pid();
  if (!isAbandoned && pid !== undefined) process.kill(-pid, 'SIGKILL');
  else if (session) abandoned = session.abandon();
}

const sdk = await import(`${plan.entryPoints}/index.js`);
const store = watchStore(new sdk.InMemorySessionStore(), points, () => cli.pid() !== undefined);
const approvals = sdk.createApprovals();
const options = {
  ...createShop({ sdk, plan, points, canUseTool: approvals.canUseTool }),
  sessionStore: store,
  sessionStoreFlush: 'eager',
  onWarning: ({ code, message }) => current.note('warning', { code, message }),
};
const person = answerQuestions({
  plan,
  approvals,
  note: (...all) => current.note(...all),
  strike,
  lives: () => life + 1,
});
try {
  for (let tries = 0; ; tries += 1) {
    const before = life;
    try {
      await converse({
        sdk,
        plan,
        options,
        // A CLI that was killed is started again by the conversation itself.
        session: isAbandoned ? {} : { restart: { resend: 'continue', backoffMs: 1 } },
        points,
        onSession: (opened) => (session = opened),
      });
      break;
    } catch (error) {
      if (life === before || tries > 3) throw error;
      current.note('ended', { error: String(error) });
    }
    await abandoned;
  }
} catch (error) {
  current.note('failed', { error: String(error?.stack ?? error) });
  process.exitCode = 1;
} finally {
  await person.stop();
  approvals.close();
}
