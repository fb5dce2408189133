// The standard output for one protocol alone: whatever else in this process writes there goes to the standard error.
import { Writable } from 'node:stream';

/** An output that nobody else writes to; `restore` gives it back to everybody. */
export interface ClaimedOutput {
  output: Writable;
  restore: () => void;
}

/** Takes an output away from `console.log` and everything else; what they write goes to `other`, after `onStray` heard of the first. */
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
      // What was there is inherited; taking ours away uncovers it.
      Reflect.deleteProperty(stdout, 'write');
    },
  };
}
