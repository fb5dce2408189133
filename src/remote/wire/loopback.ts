// Which addresses never leave this machine.
import { isIP } from 'node:net';

/** Whether what is said to this host stays on this machine. */
export function isLoopback(host: string): boolean {
  if (host === 'localhost' || host === '::1') return true;
  return isIP(host) === 4 && host.startsWith('127.');
}
