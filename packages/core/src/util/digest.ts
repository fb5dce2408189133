// Makes a short text that stands for a long one.
import type * as Crypto from 'node:crypto';
import nodeModule from 'node:module';

// Loaded with the first digest, because few sessions need one and the import costs 4 to 5 ms.
let crypto: typeof Crypto | undefined;

/** 40 hexadecimal digits of SHA-256. */
export function digest(text: string): string {
  // A module of Node itself, which is the same from every place.
  crypto ??= nodeModule.createRequire(process.execPath)('node:crypto') as typeof Crypto;
  return crypto.createHash('sha256').update(text).digest('hex').slice(0, 40);
}
