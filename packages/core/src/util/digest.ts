// A short text that stands for a long one.
import type * as Crypto from 'node:crypto';
import nodeModule from 'node:module';

// Loaded by the first digest, which few sessions take: importing it costs 4 to 5 ms.
let crypto: typeof Crypto | undefined;

/** 40 hexadecimal digits of SHA-256. */
export function digest(text: string): string {
  // Asks for a module of Node itself, which is the same from any place.
  crypto ??= nodeModule.createRequire(process.execPath)('node:crypto') as typeof Crypto;
  return crypto.createHash('sha256').update(text).digest('hex').slice(0, 40);
}
