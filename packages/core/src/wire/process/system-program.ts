// Where the programs of Windows itself are. They are started by their path: for a bare name, the system looks into the working
// directory first, which may be an untrusted repository.
import { win32 } from 'node:path';
import { readVariable, hostSystem, type Environment } from './operating-system.js';

/** The path of a program of Windows, such as `taskkill.exe`. */
export function findSystemProgram(name: string, env: Environment = process.env): string {
  const root = readVariable('SystemRoot', env, { ...hostSystem, platform: 'win32' });
  return win32.join(root !== undefined && win32.isAbsolute(root) ? root : 'C:\\Windows', 'System32', name);
}
