// The output and the input of a program as one duplex.
import { Duplex, type Readable, type Writable } from 'node:stream';

/** A program that no longer reads may have written a goodbye that was not read yet: only its output says that it has gone. */
export function joinPipes(output: Readable, input: Writable): Duplex {
  const duplex = new Duplex({
    read: () => void output.resume(),
    write: (chunk: Buffer, _, done) => void input.write(chunk, () => done()),
    final: (done) => void input.end(() => done()),
    destroy: (error, done) => {
      output.destroy();
      input.destroy();
      done(error);
    },
  });
  input.on('error', () => {});
  output.on('data', (chunk: Buffer) => {
    if (!duplex.push(chunk)) output.pause();
  });
  output.once('end', () => duplex.push(null));
  output.on('error', (error) => duplex.destroy(error));
  return duplex;
}
