// A disk without space, or one that fails in another way: the calls of `node:fs` that are named fail as the system's would.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/** Makes writing fail with the code until the returned function is called; `allowed` calls succeed before. */
export function breakDisk(
  code: string,
  calls: { sync?: string[]; promises?: string[] },
  allowed = 0,
): () => void {
  let left = allowed;
  const restore: (() => void)[] = [];
  const breakCall = (target: object, name: string, fail: (error: Error) => unknown): void => {
    const owner = target as Record<string, unknown>;
    const real = owner[name] as (...given: unknown[]) => unknown;
    owner[name] = (...given: unknown[]): unknown => {
      left -= 1;
      if (left >= 0) return real(...given);
      const error = Object.assign(new Error(`${code}: it failed, ${name} '${String(given[0])}'`), {
        code,
        syscall: name,
        path: String(given[0]),
      });
      return fail(error);
    };
    restore.push(() => {
      owner[name] = real;
    });
  };
  for (const name of calls.sync ?? [])
    breakCall(fs, name, (error) => {
      throw error;
    });
  for (const name of calls.promises ?? []) breakCall(fs.promises, name, (error) => Promise.reject(error));
  syncBuiltinESMExports();
  return () => {
    for (const undo of restore) undo();
    syncBuiltinESMExports();
  };
}
