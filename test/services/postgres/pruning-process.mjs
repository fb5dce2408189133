// A process that has the retention job and removes what is old, until it is killed. It tells after its first statements.
import { postgresJournal } from '../../../dist/entry/cluster-postgres.js';

const [url, schema] = process.argv.slice(2);
const journal = postgresJournal({ connectionString: url, schema, migrate: false });
if (!(await journal.claimRetention({ owner: 'killed', ms: 600_000, everyMs: 0 }))) throw new Error('no job');
let statements = 0;
const keepOn = async () => {
  statements += 1;
  if (statements !== 4) return true;
  process.send('has begun');
  // It is killed here.
  return await new Promise(() => setInterval(() => {}, 1000));
};
await journal.retain({ eventsMs: 0 }, { apply: true, keepOn });
