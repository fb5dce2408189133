// Signing in and out. A browser holds a random token in a cookie that its scripts cannot read and other sites cannot send;
// the database has the token's hash.
import { createHash, randomBytes } from 'node:crypto';
import { Hono, type Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { createMiddleware } from 'hono/factory';
import { z } from 'zod';
import { readBody, refuse } from '../src/refuse.ts';
import type { Database } from './database.ts';
import { hashPassword, isPassword, ROLES, type Role, type User } from './users.ts';

export type SignedIn = { Variables: { user: User } };
/** `demo` are the people of a start without a key; `isSecure` says that browsers come by https. */
export type People = { database: Database; demo: readonly User[]; isSecure: boolean };
const CREDENTIALS = z.object({ name: z.string().max(40), password: z.string().max(200) });
const hashOf = (token = '') => createHash('sha256').update(token).digest('hex');

export function createLogin({ database: { read, write }, demo, isSecure }: People) {
  const app = new Hono<SignedIn>();
  // The prefix keeps other hosts of the same domain from setting it.
  const cookie = isSecure ? '__Host-board' : 'board';
  const settings = { path: '/', httpOnly: true, sameSite: 'Strict', secure: isSecure } as const;
  const isAllowed = `role <> 'none' AND (demo = 0 OR ${demo.length > 0})`;
  // One password after the other: many at once would take every thread, those that files are read with, too.
  let checked = Promise.resolve(false);
  // For an unknown name, which takes as long as a wrong password.
  const nobody = hashPassword(randomBytes(16).toString('hex'));

  /** Who asks, as the database has it now: who was signed out, or has left, is nobody from then on. */
  async function findUser(context: Context): Promise<User | undefined> {
    const sql = `SELECT name, role FROM sign_ins JOIN users ON name = user
      WHERE token = ? AND until > unixepoch() * 1000 AND ${isAllowed}`;
    return (await read<User>(sql, hashOf(getCookie(context, cookie))))[0];
  }
  app.post('/api/sign-in', async (context) => {
    const { name, password } = await readBody(context.req, CREDENTIALS);
    // Counted before it is looked at, so that many at once are not more than one after the other.
    const sql = 'INSERT INTO tries SELECT ?1, unixepoch() WHERE ?1 NOT IN (SELECT name FROM closed)';
    if (!(await write(sql, name))) refuse(429, 'Too many wrong passwords. Try again in 15 minutes.');
    const known = `SELECT name, role, password FROM users WHERE name = ? AND ${isAllowed}`;
    const [found] = await read<User & { password: string }>(known, name);
    const stored = found?.password ?? (await nobody);
    checked = checked.then(() => isPassword(password, stored)).catch(() => false);
    if (!(await checked) || !found) return refuse(401, 'Name or password is wrong.');
    await write('DELETE FROM tries WHERE name = ?', name);
    // Always a new token, whatever the browser came with: one that somebody else has set is worth nothing.
    const token = randomBytes(32).toString('base64url');
    await write('DELETE FROM sign_ins WHERE token = ?', hashOf(getCookie(context, cookie)));
    await write('INSERT INTO sign_ins (token, user) VALUES (?, ?)', hashOf(token), found.name);
    setCookie(context, cookie, token, settings);
    return context.json({});
  });
  app.post('/api/sign-out', async (context) => {
    await write('DELETE FROM sign_ins WHERE token = ?', hashOf(getCookie(context, cookie)));
    deleteCookie(context, cookie, settings);
    return context.json({});
  });
  app.get('/api/me', async (context) => context.json({ user: (await findUser(context)) ?? null, demo }));
  const requireUser = createMiddleware<SignedIn>(async (context, next) => {
    context.set('user', (await findUser(context)) ?? refuse(401, 'Sign in first.'));
    await next();
  });
  return { app, findUser, requireUser };
}

/** Refuses those whose role is below this one. */
export function requireRole({ role }: User, least: Role, what: string): void {
  if (ROLES.indexOf(role) < ROLES.indexOf(least)) refuse(403, `Only ${least}s ${what}.`);
}
