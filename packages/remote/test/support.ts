// Both ends of a link in one process.
import { Duplex } from 'node:stream';

/** Two duplexes, each of which reads what the other one writes; `cut` makes them silent, as a pulled cable does. */
export function createDuplexPair(): { home: Duplex; there: Duplex; cut: () => void } {
  let isCut = false;
  const create = (other: () => Duplex): Duplex => {
    // Undefined until the other side wants more than it has.
    let release: (() => void) | undefined;
    const duplex = new Duplex({
      read: () => {
        const taken = release;
        release = undefined;
        taken?.();
      },
      write(chunk: Buffer, _, done) {
        if (isCut) return;
        if (other().destroyed) done(new Error('the other end is closed'));
        else if (other().push(chunk)) done();
        else (other() as Duplex & { whenRead(wake: () => void): void }).whenRead(done);
      },
      final(done) {
        if (!isCut && !other().destroyed) other().push(null);
        done();
      },
      destroy(error, done) {
        if (!isCut && !other().destroyed) setImmediate(() => other().destroy());
        done(error);
      },
    });
    return Object.assign(duplex, {
      whenRead(wake: () => void) {
        release = wake;
      },
    });
  };
  const home: Duplex = create(() => there);
  const there: Duplex = create(() => home);
  return {
    home,
    there,
    cut: () => {
      isCut = true;
    },
  };
}
