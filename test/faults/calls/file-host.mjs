// A host with everything in files: one process is one life. What it reads is in CALL_FAULTS_PLAN.
import { readFileSync } from 'node:fs';
import { createKillPoints, dieNow } from './kill-points.mjs';
import { hookCli, hookFiles } from './hook-files.mjs';
import { converse } from './converse.mjs';
import { hasCalls } from './find-transcript.mjs';
import { createShop } from './shop.mjs';
import { WRONG } from './wrong.mjs';

const plan = JSON.parse(process.env.CALL_FAULTS_PLAN);
const points = createKillPoints({ file: plan.files.notes, life: plan.life, kill: plan.kill, die });
if (plan.rival !== undefined) meetRival();
hookCli(points);
hookFiles(points, { sessionId: plan.sessionId, wrong: WRONG[plan.wrong] });
const sdk = await import(`${plan.entryPoints}/index.js`);
const approvals = sdk.createApprovals({ store: sdk.createFileApprovalStore(plan.files.approvals) });
const options = createShop({ sdk, plan, points: () => points, canUseTool: approvals.canUseTool });
try {
  await converse({
    sdk,
    plan,
    options: { ...options, onWarning: ({ code, message }) => points.note('warning', { code, message }) },
    points: () => points,
  });
} catch (error) {
  points.note('failed', { error: String(error?.stack ?? error) });
  process.exitCode = 1;
} finally {
  approvals.close();
}

/** A real CLI writes down what the model said a tenth of a second later: what is not in the transcript cannot be completed there. */
function die() {
  const isLate = ['CLI started', 'first message'].includes(plan.kill.point);
  const cell = new Int32Array(new SharedArrayBuffer(4));
  if (!isLate) for (let looks = 0; looks < 250 && !hasCalls(plan); looks += 1) Atomics.wait(cell, 0, 0, 20);
  dieNow();
}

/** Two hosts that go on at the same moment: one that is about to run a handler waits a while whether the other is, too. */
function meetRival() {
  const reach = points.reach.bind(points);
  const hasRival = () => readFileSync(plan.files.notes, 'utf8').includes(`"rival":${plan.rival}`);
  let isFirst = true;
  points.reach = (point, when, call) => {
    reach(point, when, call);
    if (!isFirst || point !== 'begin recorded' || when !== 'before') return;
    isFirst = false;
    points.note('runs', { rival: plan.life });
    const cell = new Int32Array(new SharedArrayBuffer(4));
    for (let looks = 0; looks < 150 && !hasRival(); looks += 1) Atomics.wait(cell, 0, 0, 20);
  };
}
