// One call with long arguments and a long result, and one that is sixteen times as long: does it take sixteen times as long?
import { answerTool } from '../gauges.mjs';
import { loadTarget } from '../load-target.mjs';
import { environmentFor, readNotes } from '../play.mjs';

export async function measure({ target, cli, notes, kilobytes, repeats }) {
  const { runSession } = await loadTarget(target);
  const bytes = kilobytes * 1024;
  const sizes = [
    { bytes, repeats },
    { bytes: 16 * bytes, repeats: Math.ceil(repeats / 3) },
  ];
  const env = environmentFor({ name: 'bigCalls', sizes }, notes);
  await runSession({ cli, env, cwd: process.cwd(), answerTool, onMessage: () => {} });
  const [small, large] = readNotes(notes);
  return {
    smallMs: small.ms,
    largeMs: large.ms,
    exponent: Math.log(large.ms / small.ms) / Math.log(16),
  };
}
