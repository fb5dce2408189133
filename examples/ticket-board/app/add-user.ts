// npm run add-user -- NAME ROLE: adds a user with a new password, or changes both of one who is there.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { openDatabase } from './database.ts';
import { ROLES, saveUser, type Role } from './users.ts';

const { DATA_DIR = join(import.meta.dirname, '..', 'data') } = process.env;
const [name = '', role = ''] = process.argv.slice(2);
if (/^\p{L}[\p{L}\p{N} ._-]{0,39}$/u.test(name) && ROLES.includes(role as Role)) {
  const password = randomBytes(15).toString('base64url');
  await saveUser(await openDatabase(DATA_DIR), { name, role: role as Role }, password);
  console.log(role === 'none' ? `${name} cannot sign in.` : `${name} is ${role}. Password: ${password}`);
} else {
  console.error(`Usage: npm run add-user -- NAME ${ROLES.join('|')}`);
  process.exitCode = 2;
}
