// Who may sign in: names, roles, and passwords as scrypt hashes.
import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';
import { promisify } from 'node:util';
import type { Database } from './database.ts';

/** Each may do what those before it may. Somebody with 'none' cannot sign in any more. */
export const ROLES = ['none', 'member', 'reviewer', 'admin'] as const;
export type Role = (typeof ROLES)[number];
export type User = { name: string; role: Role };
// About a quarter of a second and 32 MB for each try.
const COST = { N: 2 ** 15, r: 8, p: 3 };

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);
const hash = (password: string, salt: Buffer, { N, r, p }: typeof COST) =>
  derive(password.normalize('NFKC'), salt, 32, { N, r, p, maxmem: 256 * N * r });

/** With its cost: a later change of it leaves the passwords that there are valid. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await hash(password, salt, COST);
  return JSON.stringify({ ...COST, salt: salt.toString('base64'), key: key.toString('base64') });
}

export async function isPassword(password: string, stored: string): Promise<boolean> {
  const { salt, key, ...cost } = JSON.parse(stored);
  const wanted = Buffer.from(key, 'base64');
  return timingSafeEqual(await hash(password, Buffer.from(salt, 'base64'), cost), wanted);
}

/** Adds a user, or gives one another password and role; whoever was signed in under the name is signed out. */
export async function saveUser(database: Database, { name, role }: User, password: string, isDemo = false) {
  const sql = `INSERT INTO users (name, role, password, demo) VALUES (?, ?, ?, ?) ON CONFLICT (name)
    DO UPDATE SET role = excluded.role, password = excluded.password, demo = excluded.demo`;
  const signOut = { sql: 'DELETE FROM sign_ins WHERE user = ?', args: [name] };
  await database.writeTogether([{ sql, args: [name, role, password, isDemo] }, signOut]);
}
