// Many sessions in one process: what each holds while it is open, and what calls cost when all of them call.
import { answerTool, cpuMsSince, rssMb } from '../gauges.mjs';
import { loadTarget } from '../load-target.mjs';
import { environmentFor } from '../play.mjs';

export async function measure({ target, cli, sessions, warm, measured }) {
  const { runSession } = await loadTarget(target);
  const each = { warm: Math.ceil(warm / sessions), measured: Math.ceil(measured / sessions) };
  const env = environmentFor({
    name: 'questions',
    kind: 'call',
    warm: each.warm + 1,
    measured: each.measured,
  });
  const rssBefore = rssMb();
  let rssOpen;
  let before;
  let cpuMs;
  let open;
  let waiting = 0;
  let running = sessions;
  // Every session waits in its last warm call until all of them are there.
  const gate = new Promise((resolve) => (open = resolve));
  const meet = (answer) => {
    waiting += 1;
    if (waiting === sessions) {
      rssOpen = rssMb();
      before = process.cpuUsage();
      open();
    }
    return gate.then(() => answer);
  };
  const runOne = async () => {
    let count = 0;
    await runSession({
      cli,
      env,
      cwd: process.cwd(),
      answerTool: (name, given) => {
        count += 1;
        const answer = answerTool(name, given);
        return count === each.warm + 1 ? meet(answer) : answer;
      },
      onMessage: ({ type }) => {
        if (type !== 'result') return;
        running -= 1;
        if (running === 0) cpuMs = cpuMsSince(before);
      },
    });
  };
  await Promise.all(Array.from({ length: sessions }, runOne));
  return {
    cpuMsPer10k: (cpuMs / (each.measured * sessions)) * 10_000,
    mbEach: (rssOpen - rssBefore) / sessions,
  };
}
