// `npm run token -- ada@example.org 7`: a token with which that user calls the tools over HTTP, valid for so many days.
import { Database, TOKEN_DAYS } from './database.ts';

const [email = '', days = String(TOKEN_DAYS)] = process.argv.slice(2);
const db = await Database.open();
const user = await db.findUser(email);
const isLong = Number(days) > 0;
if (user && isLong) console.log(await db.issueToken(user, Number(days)));
else if (user) console.error(`"${days}" is no number of days. Leave it out for ${TOKEN_DAYS}.`);
else console.error(`There is no user "${email}". Give the e-mail address of one, such as ada@example.org.`);
db.close();
process.exitCode = user && isLong ? 0 : 1;
