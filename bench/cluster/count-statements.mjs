// Counts and times the statements that this process sends to PostgreSQL, by what they do: what a timer sends is told apart from what a
// turn costs.
import { Client } from 'pg';

/** What runs by the clock, however many turns there are. */
const BACKGROUND =
  /renew_unlocked_leases|due_conversations_2|report_worker|notice_channel|pg_backend_pid|pg_notify|^listen |^set |^select 1$/;

/** The functions of the journal that a statement calls, or what it reads. */
function nameStatement(text) {
  const calls = [...text.matchAll(/\.(\w+)\(\$/g)].map(([, name]) => name);
  if (calls.length > 0) return calls.join(' + ');
  return `read ${/ from "[^"]+"\.(\w+)/.exec(text)?.[1] ?? text.slice(0, 40)}`;
}

/** Begins to count. The caller ends it. */
export function countStatements() {
  const { prototype } = Client;
  // oxlint-disable-next-line typescript/unbound-method -- called on the client below
  const { query } = prototype;
  let statements = [];
  const takeAll = () => {
    const taken = statements;
    statements = [];
    return taken;
  };
  prototype.query = function (config, ...rest) {
    const text = typeof config === 'string' ? config : config?.text;
    if (typeof text !== 'string' || BACKGROUND.test(text)) return query.call(this, config, ...rest);
    const statement = { name: nameStatement(text), from: performance.now(), to: undefined };
    statements.push(statement);
    const answer = query.call(this, config, ...rest);
    const note = () => (statement.to = performance.now());
    answer?.then?.(note, note);
    return answer;
  };
  return {
    /** The names of those since the last call. */
    take: () => takeAll().map(({ name }) => name),
    /** The same with the time when each was sent and answered, by `performance.now()`. */
    takeTimed: takeAll,
    end() {
      prototype.query = query;
    },
  };
}
