// The people of a start without a key: one of each role, with a password that everybody knows. With a key they cannot sign in.
import type { Database } from '../app/database.ts';
import { hashPassword, saveUser, type User } from '../app/users.ts';

export const PASSWORD = 'demo';
export const PEOPLE: readonly User[] = [
  { name: 'Ann', role: 'reviewer' },
  { name: 'Ben', role: 'reviewer' },
  { name: 'Mia', role: 'member' },
  { name: 'Ada', role: 'admin' },
];

/** Makes them unless there is a user already; those who may sign in. */
export async function makeDemoUsers(database: Database): Promise<readonly User[]> {
  if ((await database.read('SELECT 1 FROM users LIMIT 1')).length === 0) {
    const password = await hashPassword(PASSWORD);
    for (const person of PEOPLE) await saveUser(database, person, password, true);
  }
  return database.read<User>("SELECT name, role FROM users WHERE demo AND role <> 'none' ORDER BY rowid");
}
