// Signing in and out. A browser holds a random token in a cookie that its scripts cannot read and other sites cannot send;
// the database has the token's hash.
import { createHash, randomBytes } from 'node:crypto';
import { Hono, type Context, type MiddlewareHandler } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { z } from 'zod';
import type { Database } from './database.ts';
import { readBody, refuse } from './refuse.ts';
import { hashPassword, isPassword, ROLES, type Role, type User } from './users.ts';

export type SignedIn = { Variables: { user: User } };
/** `demo` are those of a start without a key; `isSecure` says that browsers come by https. */
type Place = { database: Database; demo: readonly User[]; isSecure: boolean };
const CREDENTIALS = z.object({ name: z.string().max(40), password: z.string().max(200) });
const WRONG = 'Name or password is wrong.';
const SIGNED_IN_MS = 12 * 60 * 60_000;
const MOST_TRIES = 5;
const TRIES_MS = 15 * 60_000;

export function createLogin({ database: { read, write }, demo, isSecure }: Place) {
  const app = new Hono<SignedIn>();
  // The prefix keeps other hosts of the same domain from setting it.
  const cookie = isSecure ? '__Host-board' : 'board';
  const settings = { path: '/', httpOnly: true, sameSite: 'Strict', secure: isSecure } as const;
  const hashOf = (token: string) => createHash('sha256').update(token).digest('hex');
  const isAllowed = `role <> 'none' AND (demo = 0 OR ${demo.length > 0})`;
  const tries = new Map<string, { count: number; since: number }>();
  // An unknown name takes as long as a wrong password.
  const nobody = hashPassword(randomBytes(16).toString('hex'));

  /** Who asks, if that session is still good: an ended one, and a user who has left, count from the next look on. */
  async function findUser(context: Context): Promise<User | undefined> {
    const sql = `SELECT name, role FROM sign_ins JOIN users ON name = user WHERE token = ? AND until > ? AND ${isAllowed}`;
    return (await read<User>(sql, hashOf(getCookie(context, cookie) ?? ''), Date.now()))[0];
  }
  /** Counts a try before it is looked at, so that many at once are not more than one after the other. */
  function countTry(name: string): void {
    for (const [other, { since }] of tries) if (Date.now() - since > TRIES_MS) tries.delete(other);
    const { count, since } = tries.get(name) ?? { count: 0, since: Date.now() };
    if (count >= MOST_TRIES) refuse(429, 'Too many wrong passwords for this name. Try again in 15 minutes.');
    tries.set(name, { count: count + 1, since });
  }
  app.post('/api/sign-in', async (context) => {
    const { name, password } = await readBody(context.req, CREDENTIALS);
    countTry(name.toLowerCase());
    const sql = `SELECT name, role, password FROM users WHERE name = ? AND ${isAllowed}`;
    const [found] = await read<User & { password: string }>(sql, name);
    const isRight = await isPassword(password, found?.password ?? (await nobody));
    if (!found || !isRight) return refuse(401, WRONG);
    tries.delete(name.toLowerCase());
    // Always a new token, whatever the browser came with: one that somebody else has set is worth nothing.
    const token = randomBytes(32).toString('base64url');
    const old = hashOf(getCookie(context, cookie) ?? '');
    await write('DELETE FROM sign_ins WHERE token = ? OR until < ?', old, Date.now());
    const until = Date.now() + SIGNED_IN_MS;
    await write(
      'INSERT INTO sign_ins (token, user, until) VALUES (?, ?, ?)',
      hashOf(token),
      found.name,
      until,
    );
    setCookie(context, cookie, token, { ...settings, maxAge: SIGNED_IN_MS / 1000 });
    return context.json({ name: found.name, role: found.role });
  });
  app.post('/api/sign-out', async (context) => {
    await write('DELETE FROM sign_ins WHERE token = ?', hashOf(getCookie(context, cookie) ?? ''));
    deleteCookie(context, cookie, settings);
    return context.json({});
  });
  app.get('/api/me', async (context) => context.json({ user: (await findUser(context)) ?? null, demo }));

  /** Lets nobody through who is not signed in. */
  const requireUser: MiddlewareHandler<SignedIn> = async (context, next) => {
    context.set('user', (await findUser(context)) ?? refuse(401, 'Sign in first.'));
    await next();
  };
  return { app, findUser, requireUser };
}

/** Refuses those whose role is below this one. */
export function requireRole({ role }: User, least: Role, what: string): void {
  if (ROLES.indexOf(role) < ROLES.indexOf(least)) refuse(403, `Only a ${least} ${what}.`);
}
