// Who may sign in: names, roles, and passwords as scrypt hashes.
import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';
import { promisify } from 'node:util';
import type { Database } from './database.ts';

/** Each may do what those before it may. Somebody with 'none' cannot sign in any more. */
export const ROLES = ['none', 'member', 'reviewer', 'admin'] as const;
export type Role = (typeof ROLES)[number];
export type User = { name: string; role: Role };
// About a quarter of a second and 32 MB for each try.
const COST = { N: 2 ** 15, r: 8, p: 3, maxmem: 2 ** 26 };
const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** The hash with its cost: a later change of that leaves the passwords that there are valid. */
export async function hashPassword(password: string, salt = randomBytes(16), cost = COST): Promise<string> {
  const key = await derive(password.normalize('NFKC'), salt, 32, cost);
  return JSON.stringify({ cost, salt: salt.toString('base64'), key: key.toString('base64') });
}

export async function isPassword(password: string, stored: string): Promise<boolean> {
  const { salt, cost } = JSON.parse(stored);
  const given = await hashPassword(password, Buffer.from(salt, 'base64'), cost);
  return given.length === stored.length && timingSafeEqual(Buffer.from(given), Buffer.from(stored));
}

/** Adds a user, or gives one another password and role. */
export async function saveUser({ write }: Database, { name, role }: User, password: string, isDemo = false) {
  const sql = `INSERT INTO users (name, role, password, demo) VALUES (?, ?, ?, ?) ON CONFLICT (name)
    DO UPDATE SET role = excluded.role, password = excluded.password, demo = excluded.demo`;
  await write(sql, name, role, await hashPassword(password), isDemo);
}
