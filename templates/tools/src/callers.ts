// Who calls, and what a tool knows about it. Replace this with your users: a table of hashed tokens, or your login.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { ToolClient } from 'inboard';
import { Notebook } from './notebook.ts';

/** What every tool gets as its `context`. */
export interface Caller {
  user: string;
  notebook: Notebook;
}

export function createCaller(user: string): Caller {
  const folder = process.env['DATA_DIR'] ?? join(import.meta.dirname, '..', 'data');
  return { user, notebook: new Notebook(folder) };
}

/**
 * The caller for a client outside of this program; undefined turns it away. Over HTTP a token says who it is
 * (NOTES_TOKENS: `ada:<token>,bob:<token>`), otherwise whoever started the process (NOTES_USER).
 */
export function findCaller(client: ToolClient): Caller | undefined {
  if (client.via !== 'http') return createCaller(process.env['NOTES_USER'] ?? 'you');
  const user = client.token && readTokens().get(hash(client.token));
  return user ? createCaller(user) : undefined;
}

/** Users by the hash of their token, so that the time of a look-up says nothing about a token. */
function readTokens(): Map<string, string> {
  const entries = (process.env['NOTES_TOKENS'] ?? '').split(',').map((entry) => entry.trim().split(':'));
  return new Map(entries.flatMap(([user, token]) => (user && token ? [[hash(token), user]] : [])));
}

function hash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
