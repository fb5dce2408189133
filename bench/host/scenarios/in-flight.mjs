// Calls that are all open at once: no handler ends before the last one has begun. The same number of calls in waves of two
// sizes shows whether an open call makes the others dearer.
import { answerTool, cpuMsSince } from '../gauges.mjs';
import { loadTarget } from '../load-target.mjs';
import { environmentFor, readNotes } from '../play.mjs';

export async function measure({ target, cli, notes, few, many, calls }) {
  const { runSession } = await loadTarget(target);
  const usPerCall = [];
  for (const inFlight of [few, many]) {
    const warm = Math.max(inFlight, Math.floor(calls / 2));
    usPerCall.push(await measureWaves({ runSession, cli, notes, inFlight, warm, measured: calls }));
  }
  const exponent = 1 + Math.log(usPerCall[1] / usPerCall[0]) / Math.log(many / few);
  return { usPerCall: usPerCall[1], exponent };
}

async function measureWaves({ runSession, cli, notes, inFlight, warm, measured }) {
  const env = environmentFor(
    { name: 'questions', kind: 'call', warm, measured, inFlight, inWaves: true },
    notes,
  );
  let count = 0;
  let before;
  let cpuMs;
  let open = [];
  await runSession({
    cli,
    env,
    cwd: process.cwd(),
    answerTool: (name, given) => {
      if (count === warm) before = process.cpuUsage();
      count += 1;
      return new Promise((resolve) => {
        open.push(() => resolve(answerTool(name, given)));
        if (open.length < inFlight) return;
        const settled = open;
        open = [];
        for (const settle of settled) settle();
      });
    },
    onMessage: ({ type }) => {
      if (type === 'result') cpuMs = cpuMsSince(before);
    },
  });
  readNotes(notes);
  return (cpuMs * 1000) / measured;
}
