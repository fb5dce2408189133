// Partial messages, and a reader that sleeps: how much memory the unread ones take.
import { peakRssMb } from '../gauges.mjs';
import { loadTarget } from '../load-target.mjs';
import { environmentFor, readNotes } from '../play.mjs';

const MESSAGES_PER_NAP = 64;

export async function measure({ target, cli, notes, megabytes, characters, napMs }) {
  const { runSession } = await loadTarget(target);
  const env = environmentFor({ name: 'stream', megabytes, characters }, notes);
  let count = 0;
  await runSession({
    cli,
    env,
    cwd: process.cwd(),
    isPartial: true,
    isSlow: true,
    onMessage: () => {
      count += 1;
      return count % MESSAGES_PER_NAP === 0
        ? new Promise((resolve) => void setTimeout(resolve, napMs))
        : undefined;
    },
  });
  const { messages } = readNotes(notes);
  if (count !== messages + 2) throw new Error(`${count} messages came instead of ${messages + 2}.`);
  return { peakRssMb: peakRssMb() };
}
