// What each process of a chaos run saw, as lines of JSON in a file of its own, written at once: a process that is killed in the
// next instruction has said it all.
import { appendFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// The clock that all processes of a machine share, also one whose time of day was made wrong.
const readClock = () => Number(process.hrtime.bigint() / 1000n) / 1000;

/** Makes the function that writes down what this process saw. */
export function openNotes(folder, who) {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${who}.jsonl`);
  return (kind, facts = {}) =>
    appendFileSync(file, `${JSON.stringify({ kind, who, ...facts, at: readClock() })}\n`);
}

/** All that was written down, by all processes, in the order of time, which is the time of day of this process. */
export function readNotes(folder) {
  const since = Date.now() - readClock();
  const lines = readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'));
  const notes = lines.flatMap((line) => {
    try {
      const note = JSON.parse(line);
      return [{ ...note, at: note.at + since }];
    } catch {
      // The last line of a process that was killed while it wrote, or the empty one after it.
      return [];
    }
  });
  return notes.toSorted((one, other) => one.at - other.at);
}
