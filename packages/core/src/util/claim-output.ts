// Reserves the standard output for one protocol. Everything that other code of this process writes there goes to another
// stream, such as the standard error.
import { Writable } from 'node:stream';

/** A stream that only its holder writes to. `restore` gives the output back to the whole process. */
export interface ClaimedOutput {
  output: Writable;
  restore: () => void;
}

/**
 * Takes an output away from `console.log` and other code. Their writes go to `other`. `onStray` is called before the
 * first such write.
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
      // The original method is inherited, so it is restored when the own property is removed.
      Reflect.deleteProperty(stdout, 'write');
    },
  };
}
