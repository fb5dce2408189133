// Tool calls or permissions, one after the other or some in flight: what each costs this process, after `warm` that are not
// counted.
import { answerPermission, answerTool, cpuMsSince } from '../gauges.mjs';
import { loadTarget } from '../load-target.mjs';
import { environmentFor, readNotes } from '../play.mjs';

export async function measure({ target, cli, notes, kind, warm, measured, inFlight }) {
  const { runSession } = await loadTarget(target);
  const env = environmentFor({ name: 'questions', kind, warm, measured, inFlight }, notes);
  let count = 0;
  let before;
  let cpuMs;
  const counted = (answer) => (name, given) => {
    if (count === warm) before = process.cpuUsage();
    count += 1;
    return answer(name, given);
  };
  await runSession({
    cli,
    env,
    cwd: process.cwd(),
    ...(kind === 'permission'
      ? { answerPermission: counted(answerPermission) }
      : { answerTool: counted(answerTool) }),
    onMessage: ({ type }) => {
      if (type === 'result') cpuMs = cpuMsSince(before);
    },
  });
  if (count !== warm + measured) throw new Error(`Asked ${count} times instead of ${warm + measured}.`);
  return { cpuMsPer10k: (cpuMs / measured) * 10_000, ...readNotes(notes) };
}
