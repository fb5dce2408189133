// What is injected into every tool: the database, for whom the tool works, and what that person may do.
import type { Database, User } from '../app/database.ts';

export interface AppState {
  db: Database;
  user: User;
  /** How the call came here; for people who look on. */
  via: string;
}

const PERMISSIONS = { admin: ['users:read-all', 'users:rename'], member: [] } as const;
export type Permission = (typeof PERMISSIONS)['admin'][number];

export function can({ role }: User, permission: Permission): boolean {
  return (PERMISSIONS[role] as readonly Permission[]).includes(permission);
}

/** Throws unless the user may, from however deep in the program; the model reads the message. */
export function demand(user: User, permission: Permission): void {
  if (can(user, permission)) return;
  throw new Error(`${user.name} may not do this: it needs the permission ${permission}.`);
}
