// Files for the code that a simulator will run: `disk.openSync(…)`, `disk.promises.open(…)`. A disk has the shape of
// `node:fs`, and the real disk is that module itself. Nothing is wrapped, so functions that a program replaces in
// that module take effect.
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
  'open' | 'readFile' | 'writeFile' | 'stat' | 'statfs' | 'readdir' | 'mkdir' | 'link' | 'rename' | 'rm';

/**
 * The functions of `node:fs` that the code uses. Open files (`FileHandle`) and their descriptors belong to the disk
 * too.
 */
export type Disk = Pick<typeof fs, SyncName> & { readonly promises: Pick<typeof fs.promises, PromiseName> };

/** The disk of this process. Never keep it, or a function of it, because it may be replaced. */
export let disk: Disk = fs;

/** Puts another disk in place and returns the previous one. Only `replaceSystem` calls it. */
export function replaceDisk(next: Disk): Disk {
  const before = disk;
  disk = next;
  return before;
}
