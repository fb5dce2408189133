// A turn on the real CLI, with a scripted model: a permission, a tool call, a closing text.
import { answerPermission, answerTool, cpuMsSince } from '../gauges.mjs';
import { BARE_ARGUMENTS } from '../bare-arguments.mjs';
import { loadTarget } from '../load-target.mjs';

export async function measure({ target, cli, cliEnv, cwd }) {
  const { runSession, importMs } = await loadTarget(target);
  const asked = [];
  let text;
  const before = process.cpuUsage();
  const begun = performance.now();
  await runSession({
    cli,
    env: cliEnv,
    args: BARE_ARGUMENTS,
    cwd,
    answerTool: (name, given) => {
      asked.push('call');
      return answerTool(name, given);
    },
    answerPermission: (name, input) => {
      asked.push('permission');
      return answerPermission(name, input);
    },
    onMessage: (message) => {
      if (message.type === 'result') text = message.result;
    },
  });
  const figures = { turnMs: performance.now() - begun, cpuMs: cpuMsSince(before), importMs };
  if (asked.join() !== 'permission,call' || text !== 'done')
    throw new Error(`The turn did not go as scripted: ${asked.join()}, ${text}`);
  return figures;
}
