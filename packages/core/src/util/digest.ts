// Makes a short text that stands for a long one.
import type * as Crypto from 'node:crypto';
import nodeModule from 'node:module';

// The module is loaded with the first digest, because few sessions need one and loading it takes 4 to 5 ms.
let crypto: typeof Crypto | undefined;

/** The first 40 hexadecimal digits of the SHA-256 of a text. */
export function digest(text: string): string {
  // The module is part of Node, so it does not matter from which path it is required.
  crypto ??= nodeModule.createRequire(process.execPath)('node:crypto') as typeof Crypto;
  return crypto.createHash('sha256').update(text).digest('hex').slice(0, 40);
}
