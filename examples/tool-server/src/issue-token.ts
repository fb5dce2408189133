// `npm run token -- ada@example.org`: a token with which that user calls the tools over HTTP.
import { Database } from './database.ts';

const [email = ''] = process.argv.slice(2);
const db = await Database.open();
const user = await db.findUser(email);
if (user) console.log(await db.issueToken(user));
else console.error(`There is no user "${email}". Give the e-mail address of one, such as ada@example.org.`);
db.close();
process.exitCode = user ? 0 : 1;
