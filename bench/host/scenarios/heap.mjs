// What stays in the heap of each call, after a forced collection: `node --expose-gc`.
import { answerTool } from '../gauges.mjs';
import { loadTarget } from '../load-target.mjs';
import { environmentFor, readNotes } from '../play.mjs';

export async function measure({ target, cli, notes, warm, measured }) {
  const { runSession } = await loadTarget(target);
  const env = environmentFor({ name: 'questions', kind: 'call', warm, measured }, notes);
  let count = 0;
  let before;
  let after;
  await runSession({
    cli,
    env,
    cwd: process.cwd(),
    answerTool: (name, given) => {
      count += 1;
      if (count === warm) before = heapBytes();
      if (count === warm + measured) after = heapBytes();
      return answerTool(name, given);
    },
    onMessage: () => {},
  });
  readNotes(notes);
  return { bytesPerCall: (after - before) / measured };
}

function heapBytes() {
  // The first one may leave what finalizers held.
  globalThis.gc();
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}
