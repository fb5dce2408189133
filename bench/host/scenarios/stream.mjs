// Partial messages as fast as they come, with a reader that does nothing.
import { cpuMsSince } from '../gauges.mjs';
import { loadTarget } from '../load-target.mjs';
import { environmentFor, readNotes } from '../play.mjs';

export async function measure({ target, cli, notes, megabytes, characters }) {
  const { runSession } = await loadTarget(target);
  const env = environmentFor({ name: 'stream', megabytes, characters }, notes);
  let count = 0;
  let begun;
  let before;
  let figures;
  await runSession({
    cli,
    env,
    cwd: process.cwd(),
    isPartial: true,
    onMessage: ({ type }) => {
      begun ??= performance.now();
      before ??= process.cpuUsage();
      count += 1;
      if (type === 'result') figures = { ms: performance.now() - begun, cpuMs: cpuMsSince(before) };
    },
  });
  const { bytes, messages } = readNotes(notes);
  // All of them, and the two of the turn itself.
  if (count !== messages + 2) throw new Error(`${count} messages came instead of ${messages + 2}.`);
  const megabytesRead = bytes / 1e6;
  return {
    msPer100Mb: (figures.ms * 100) / megabytesRead,
    cpuMsPer100Mb: (figures.cpuMs * 100) / megabytesRead,
  };
}
