// The people of a start without a key: one of each role, with a password that everybody knows. With a key they cannot sign in.
import type { Database } from '../app/database.ts';
import { saveUser, type User } from '../app/users.ts';

const PASSWORD = 'demo';
const PEOPLE: readonly User[] = [
  { name: 'Ann', role: 'reviewer' },
  { name: 'Ben', role: 'reviewer' },
  { name: 'Mia', role: 'member' },
  { name: 'Ada', role: 'admin' },
];

/** Makes them unless there is a user already; those who are there, with their password. */
export async function makeDemoUsers(database: Database) {
  if ((await database.read('SELECT 1 FROM users LIMIT 1')).length === 0)
    await Promise.all(PEOPLE.map((person) => saveUser(database, person, PASSWORD, true)));
  const all = await database.read<User>(
    "SELECT name, role FROM users WHERE demo AND role <> 'none' ORDER BY name",
  );
  return all.map((person) => ({ ...person, password: PASSWORD }));
}
