// Reserves the standard output for one protocol. Everything else in this process that writes there goes to the standard
// error.
import { Writable } from 'node:stream';

/** An output that only its holder writes to. `restore` gives it back to the whole process. */
export interface ClaimedOutput {
  output: Writable;
  restore: () => void;
}

/**
 * Takes an output away from `console.log` and other code. Their writes go to `other`; `onStray` is called before the
 * first.
 */
export function claimOutput(stdout: Writable, other: Writable, onStray?: () => void): ClaimedOutput {
  const write = stdout.write.bind(stdout) as (
    chunk: unknown,
    done: (error?: Error | null) => void,
  ) => boolean;
  const writeOther = other.write.bind(other);
  let hasStrayed = false;
  const output = new Writable({
    decodeStrings: false,
    write: (chunk, _encoding, done) => void write(chunk, done),
  });
  stdout.write = ((...args: Parameters<Writable['write']>) => {
    if (!hasStrayed) onStray?.();
    hasStrayed = true;
    return writeOther(...args);
  }) as Writable['write'];
  return {
    output,
    restore: () => {
      // The original method is inherited, so removing ours restores it.
      Reflect.deleteProperty(stdout, 'write');
    },
  };
}
