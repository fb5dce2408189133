// The tools file: the same tools in process, over stdio and over HTTP. None of them knows how it is called; each gets the
// state of its caller as `context`. In process that is the query's `toolContext`; for `inboard serve` and `inboard call`
// the function of that name at the end says it.
import { createSdkMcpServer, tool, type ToolClient, type HandlerExtra } from 'inboard';
import { Database } from '../app/database.ts';
import { can, demand, type AppState } from './state.ts';

type Call = HandlerExtra<AppState>;

export const toolkit = createSdkMcpServer({
  name: 'toolkit',
  instructions: 'A calculator that keeps results for its user, and a directory of users.',
  alwaysLoad: true,
  tools: [
    // The arguments alone: most tools need no more.
    tool.readOnly('add', 'Adds two whole numbers', { x: 'integer', y: 'integer' }, ({ x, y }) => x + y),

    tool.readOnly('divide', 'Divides x by y', { x: 'number', y: 'number' }, ({ x, y }) =>
      // An error as a value: the model reads it and can do better.
      y === 0 ? new Error('Cannot divide by zero.') : x / y,
    ),

    tool.readOnly('get_time', 'The current time in UTC', () => new Date().toISOString()),

    // With the state of whoever calls.
    tool.readOnly('whoami', 'Who is calling, and how', {}, (_args, { context: { user, via } }: Call) => {
      const { email, name, role, team } = user;
      return { email, name, role, team, via, process: process.pid };
    }),

    tool(
      'keep_result',
      'Keeps a result under a label, for the current user alone',
      { label: 'string: what the number is', value: 'number' },
      async (result, { context: { db, user } }: Call) => {
        await db.keepResult(user.id, result);
        return `Kept ${result.label} = ${result.value} for ${user.name}.`;
      },
    ),

    tool.readOnly(
      'list_results',
      'The results that the current user has kept',
      // A default: the model reads it, and a call without the field has it.
      { most: 'integer = 20: how many at most' },
      ({ most }, { context: { db, user } }: Call) => db.listResults(user.id, most),
    ),

    tool.readOnly(
      'query_user',
      'Looks a user up by e-mail address',
      { email: 'string' },
      async ({ email }, { context: { db, user } }: Call) => {
        const found = await db.findUser(email);
        // Somebody of another team is not told apart from nobody, so that nothing can be found out by asking.
        if (!found || (found.team !== user.team && !can(user, 'users:read-all'))) {
          return new Error(`User not found: ${email}`);
        }
        return `${found.name} (${found.email})`;
      },
    ),

    tool(
      'rename_user',
      'Changes the name of a user; for administrators',
      // JSON Schema, for what the words above cannot say; the arguments are typed by it all the same.
      {
        type: 'object',
        properties: { email: { type: 'string' }, name: { type: 'string', minLength: 1, maxLength: 80 } },
        required: ['email', 'name'],
        additionalProperties: false,
      },
      async ({ email, name }, { context: { db, user } }: Call) => {
        demand(user, 'users:rename');
        const found = await db.findUser(email);
        if (!found) return new Error(`User not found: ${email}`);
        await db.renameUser(found.id, name);
        return `${found.name} is now called ${name}.`;
      },
    ),
  ],
});

let opened: Promise<Database> | undefined;

/** The state for a caller outside of a query; undefined turns it away. */
export async function toolContext(client: ToolClient): Promise<AppState | undefined> {
  const email = process.env['TOOL_USER'];
  if (client.via !== 'http' && !email) {
    throw new Error('Say for whom: TOOL_USER must be the e-mail address of a user, such as ada@example.org.');
  }
  const db = await (opened ??= Database.open());
  const user = await (client.via === 'http' ? db.findUserByToken(client.token) : db.findUser(email ?? ''));
  return user && { db, user, via: client.via };
}
