// The engines that play the scenario, and where their rows are.
//
// A driver (drivers/) exports `start({ database, folder, node })`: the URL of an empty PostgreSQL database, a folder for files, and the Node
// that runs its pods. It starts the servers of the engine, if there are any, and returns:
//   startPod(name, plan)                     a pod (pod-process.mjs) that is a worker with pod-parts.mjs. It tells { ready } when it works.
//   send({ conversation, id, content })      a second time, it changes nothing
//   questions(conversation, id)              the open questions of a turn, [{ id, ... }]
//   answer(conversation, id, { id, result, by })   the answer to one; a second time, it changes nothing. Returns whether it was taken,
//                                            or undefined where the engine cannot know
//   outcome(conversation, id)                waits, and returns the AttemptOutcome
//   stop()
// and, if the engine leaves the work of a worker alone that is not restarted:
//   recover(name), isOver(conversation, id)  lets the others do the work of the pod `name`; whether a turn has ended
// A driver whose page and example need a server exports `startServer()` as well, which returns { env, stop() }.
// What it returns besides, if its entry below says that it can:
//   cancel(conversation, id)                 a person stops the turn
//   pending(conversation, id)                the pending calls of a turn, [{ callKey, ... }]
//   complete(conversation, id, callKey, result)   completes one (ledger-calls.mjs), and wakes the turn

/**
 * `tellsMessages`: its pods are told the messages of turns. `can`: scenes that need something else are left out. `node`: the oldest major version of Node on which its pods run. `rows`: where the transcripts are
 * kept. `page`: whose code is run, as is the `example` in examples/engines, with the `env` of the driver's `openForPage(folder)`, if it has
 * one. `checks`: files of tests besides.
 */
export const ENGINES = [
  { name: 'inboard/cluster', driver: 'cluster.mjs', rows: 'journal', can: ['cancel', 'complete'] },
  { name: 'own queue', driver: 'queue.mjs', rows: 'ledger', can: [], tellsMessages: true },
  {
    name: 'DBOS',
    driver: 'dbos.mjs',
    rows: 'ledger',
    tellsMessages: true,
    can: ['cancel', 'complete'],
    page: 'docs/engines-dbos.md',
    example: 'dbos',
    checks: ['checks/dbos.test.mjs'],
  },
  {
    name: 'Restate',
    driver: 'restate.mjs',
    rows: 'ledger',
    tellsMessages: true,
    can: ['cancel', 'complete'],
    node: 22,
    page: 'docs/engines-restate.md',
    example: 'restate',
    checks: ['checks/restate.test.mjs'],
  },
  {
    // On the stand-in for a server, unless one is named: see its driver.
    name: 'Temporal',
    driver: 'temporal.mjs',
    rows: 'ledger',
    tellsMessages: true,
    can: ['cancel', 'complete'],
    page: 'docs/engines-temporal.md',
    example: 'temporal',
    checks: [
      'temporal/workflows.test.mjs',
      'temporal/conversations.test.mjs',
      'temporal/activities.test.mjs',
    ],
  },
];

const ROWS = {
  ledger: {
    entries: `select e.place::int, e.epoch::int, e.uuid, e.entry from inboard_ledger.entries e
      join inboard_ledger.conversations c on c.number = e.conversation where c.key = $1 order by e.place`,
    facts: `select f.epoch::int, f.fact from inboard_ledger.facts f
      join inboard_ledger.conversations c on c.number = f.conversation where c.key = $1 order by f.place`,
  },
  journal: {
    entries: `select e.seq::int, e.epoch::int, e.uuid, e.entry from inboard.entries e
      join inboard.transcripts t on t.number = e.transcript
      join inboard.conversations c on c.number = t.conversation where c.key = $1 order by e.seq`,
    events: `select v.epoch::int, v.body from inboard.events v
      join inboard.conversations c on c.number = v.conversation where c.key = $1 order by v.id`,
  },
};

/** Reads what is kept of a conversation, in the order in which it was written. */
export function createRowReader(kind, pool) {
  return async (conversation) => {
    const read = async ([what, sql]) => [what, (await pool.query(sql, [conversation])).rows];
    return Object.fromEntries(await Promise.all(Object.entries(ROWS[kind]).map(read)));
  };
}
