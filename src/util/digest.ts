// A short text that stands for a long one.
import { createHash } from 'node:crypto';

/** 40 hexadecimal digits of SHA-256. */
export function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 40);
}
