// Files, as the code asks for them that a simulator will run: `disk.openSync(…)`, `disk.promises.open(…)`. A disk has the shape of
// `node:fs`, and the real one is that module itself: nothing is wrapped, and what a program puts in the place of its functions is found.
import fs from 'node:fs';

type SyncName =
  | 'openSync'
  | 'closeSync'
  | 'readSync'
  | 'writeSync'
  | 'ftruncateSync'
  | 'fstatSync'
  | 'fchmodSync'
  | 'statSync'
  | 'lstatSync'
  | 'readFileSync'
  | 'mkdirSync'
  | 'unlinkSync'
  | 'rmSync'
  | 'watch';
type PromiseName =
  'open' | 'readFile' | 'writeFile' | 'stat' | 'readdir' | 'mkdir' | 'link' | 'rename' | 'rm';

/** Where files are kept: of `node:fs`, what the code on it uses. Open files (`FileHandle`) and their descriptors belong to it, too. */
export type Disk = Pick<typeof fs, SyncName> & { readonly promises: Pick<typeof fs.promises, PromiseName> };

/** The disk of this process. Never keep it, or a function of it: it may be replaced. */
export let disk: Disk = fs;

/** Puts another disk in its place; returns the one before. Only `replaceSystem` calls it. */
export function replaceDisk(next: Disk): Disk {
  const before = disk;
  disk = next;
  return before;
}
