// What a scenario tells the fake CLI, and what the fake CLI measured on its side.
import { readFileSync } from 'node:fs';

/** The environment of a fake CLI that plays `play`, and writes what it measured to `notes` if that is given. */
export function environmentFor(play, notes) {
  const { PATH, HOME } = process.env;
  return { PATH, HOME, BENCH_PLAY: JSON.stringify(play), ...(notes && { BENCH_NOTES: notes }) };
}

/** What it wrote; throws what went wrong there. */
export function readNotes(notes) {
  const { measured, error } = JSON.parse(readFileSync(notes, 'utf8'));
  if (error) throw new Error(`The fake CLI: ${error}`);
  return measured;
}
