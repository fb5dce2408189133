// Partial messages as fast as they come, with a reader that does nothing.
import { loadTarget } from '../load-target.mjs';
import { environmentFor, readNotes } from '../play.mjs';

export async function measure({ target, cli, notes, megabytes, characters }) {
  const { runSession } = await loadTarget(target);
  const env = environmentFor({ name: 'stream', megabytes, characters }, notes);
  let count = 0;
  let begun;
  let ms;
  await runSession({
    cli,
    env,
    cwd: process.cwd(),
    isPartial: true,
    onMessage: ({ type }) => {
      begun ??= performance.now();
      count += 1;
      if (type === 'result') ms = performance.now() - begun;
    },
  });
  const { bytes, messages } = readNotes(notes);
  // All of them, and the two of the turn itself.
  if (count !== messages + 2) throw new Error(`${count} messages came instead of ${messages + 2}.`);
  return { mbPerSecond: bytes / 1000 / ms };
}
