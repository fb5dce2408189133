// What a chaos run has shown: promises that were broken, with their numbers, and what was measured. Reads the histories of the
// journal and the notes of the processes; knows nothing of how the run went.
import { checkConversation } from './history.mjs';
import { describeSample, percentile } from './numbers.mjs';

/** What a worker may take beyond the time for its turns: it lets go of its services within seconds each. */
const CLOSING_MS = 8000;
/** How many statements of the journal come one after the other meanwhile. On an overrun machine each of them takes seconds. */
const CLOSING_STATEMENTS = 5;

/** Broken promises, as `{ promise, what }`. */
export function findBroken({ histories, notes, effects, wanted, isRolling }) {
  const broken = [];
  const say = (promise, what) => broken.push({ promise, what });
  for (const history of histories) {
    for (const { promise, message } of checkConversation(history))
      say(promise, `${history.conversation.key}: ${message}`);
  }
  checkTurns(histories, wanted, say);
  checkCalls(notes, say);
  checkEffects(effects, wanted, say);
  for (const { key, id, last } of of(notes, 'reader-gap'))
    say('G13', `a reader of ${key} got event ${id} after ${last}`);
  for (const { who, error } of of(notes, 'unhandled')) say('G15', `${who}: unhandled ${error}`);
  for (const { what } of of(notes, 'unasked')) say('G15', what);
  for (const { history, turn } of deniedTurns(histories))
    say('G15', `${history}: ${turn} was denied by nobody`);
  const closingMs = CLOSING_MS + CLOSING_STATEMENTS * slowStatementMs(notes);
  for (const { worker, ms, drainMs, code, signal } of of(notes, 'deployed')) {
    // The run itself kills beside its faults, and may have meant this one.
    if (signal === 'SIGKILL') continue;
    if (ms > drainMs + closingMs || code !== 0)
      say('G18', `${worker} took ${ms} ms of ${drainMs} to end, by ${signal ?? `exit code ${code}`}`);
  }
  for (const { name, ended, total } of of(notes, 'fault-missed')) {
    if (name === 'upgrade' || name === 'downgrade')
      say('G18', `the ${name} never came: nothing moved any more, with ${ended} of ${total} turns ended`);
  }
  for (const { worker, code, signal } of of(notes, 'version-refused')) {
    if (code !== 78) say('G18', `${worker} did not refuse newer tables: ${signal ?? `exit code ${code}`}`);
  }
  if (isRolling)
    for (const repeated of repeatsOf(notes))
      say('G18', `the call ${repeated} ran again in a deploy without kills`);
  return broken;
}

const of = (notes, kind) => notes.filter((note) => note.kind === kind);

/** What all but a twentieth of the statements of workers stay below. */
function slowStatementMs(notes) {
  const times = ['begin-call', 'finish', 'journal'].flatMap((kind) =>
    of(notes, kind).flatMap(({ ms }) => (typeof ms === 'number' ? [ms] : [])),
  );
  return times.length === 0 ? 0 : percentile(times, 0.95);
}

function checkTurns(histories, { conversations, turns }, say) {
  if (histories.length !== conversations)
    say('G1', `${histories.length} of ${conversations} conversations are there`);
  for (const { conversation, turns: found, events } of histories) {
    const { key } = conversation;
    if (found.length !== turns) say('G1', `${key} has ${found.length} of ${turns} turns`);
    for (const { id, state, outcome, place } of found) {
      if (state !== 'ended') say('G1', `${id} is ${state}`);
      else if (!outcome.ok)
        say('G1', `${id} ended as ${outcome.kind}: ${outcome.error?.message ?? outcome.text}`);
      else if (outcome.text !== `done ${key} ${place}`) say('G8', `${id} was answered "${outcome.text}"`);
      const results = events.filter(
        (event) => event.turn === id && event.type === 'turn' && event.state === 'ended',
      );
      if (results.length !== 1) say('G2', `${id} has ${results.length} ends among its events`);
    }
  }
}

function checkCalls(notes, say) {
  const endedAt = new Map();
  for (const { callKey, at } of of(notes, 'end-call')) if (!endedAt.has(callKey)) endedAt.set(callKey, at);
  for (const { callKey, at, hadRow, who } of of(notes, 'run')) {
    if (!hadRow) say('G10', `${who} ran ${callKey} before it was in the journal`);
    if (endedAt.get(callKey) < at) say('G9', `${who} ran ${callKey} again after it had ended`);
  }
}

function checkEffects(effects, { conversations, turns }, say) {
  if (effects === undefined) return;
  const names = new Set(effects.map(({ conversation, turn, call }) => `${conversation} ${turn} ${call}`));
  // One call a message, two in every third.
  const calls = conversations * (turns + (turns >= 3 ? 1 : 0));
  if (names.size !== calls) say('G1', `${names.size} of ${calls} effects are there`);
  if (effects.length !== names.size)
    say('G9', `${effects.length - names.size} effects were had under a second call key`);
}

function deniedTurns(histories) {
  return histories.flatMap(({ conversation, entries }) =>
    JSON.stringify(entries).includes('permission callback failed')
      ? [{ history: conversation.key, turn: 'a call' }]
      : [],
  );
}

/** The call keys that ran more than once. */
function repeatsOf(notes) {
  const counts = new Map();
  for (const { callKey } of of(notes, 'run')) counts.set(callKey, (counts.get(callKey) ?? 0) + 1);
  return [...counts].filter(([, count]) => count > 1).map(([callKey]) => callKey);
}

/** What was measured, as rows of a table: name, value, the promise it belongs to and its limit. */
export function measure({ histories, notes, ms }) {
  const events = of(notes, 'event');
  const leased = events.filter(({ type }) => type === 'leased');
  const taken = leased.flatMap(({ takenOverAfterMs }) =>
    takenOverAfterMs === undefined ? [] : [takenOverAfterMs],
  );
  const { afterLease, afterKill } = firstMessages(histories, of(notes, 'death'));
  const { held, parked } = answersToTools(notes);
  const sample = (kind, field = 'ms') =>
    of(notes, kind).flatMap((note) => (typeof note[field] === 'number' ? [note[field]] : []));
  return [
    [
      'turns ended',
      histories.reduce((sum, { turns }) => sum + turns.filter(({ state }) => state === 'ended').length, 0),
      'G1',
    ],
    ['deaths', `${of(notes, 'death').length} (${countPoints(of(notes, 'death'))})`, ''],
    [
      'leases / taken over / lost',
      `${leased.length} / ${taken.length} / ${events.filter(({ type }) => type === 'lost').length}`,
      '',
    ],
    ['found finished', events.filter(({ how }) => how === 'found').length, ''],
    ['continued', events.filter(({ how }) => how === 'continued').length, ''],
    ['tool runs / run again', `${of(notes, 'run').length} / ${repeatsOf(notes).length}`, 'G9'],
    [
      'old lease ran out -> new lease (p50 / p95 / p99)',
      describeSample(waitsForLease(histories)),
      'G5: p50 600, p99 1200 ms',
    ],
    ['lease lost -> new lease', describeSample(waitsAfterLoss(histories, events)), ''],
    ['new lease -> first message', describeSample(afterLease), 'G6'],
    ['kill -> first message', describeSample(afterKill), 'G6: 5 s with a free core'],
    ['orphan CLI gone after', describeSample(sample('orphan')), 'G7: 300 ms'],
    ['call row before the handler', describeSample(sample('begin-call')), 'G10: p50 5 ms'],
    ['answer -> tool, held', describeSample(held), 'G11: p95 150 ms'],
    ['answer -> tool, parked', describeSample(parked), 'G11: p95 3 s'],
    ['event -> reader', describeSample(sample('late')), 'G13: p95 100 ms'],
    ['zombie CLI gone after CONT', describeSample(sample('zombie')), 'G17: 500 ms'],
    ['partition -> CLI gone', describeSample(sample('partition')), 'G16: leaseMs'],
    ['trouble reported', events.filter(({ type }) => type === 'trouble').length, ''],
    ['the run took', `${(ms / 1000).toFixed(1)} s`, ''],
  ];
}

/** How long a conversation with something to do was without a lease, after one that ran out. */
function waitsForLease(histories) {
  return histories.flatMap(({ leases, turns }) =>
    leases.flatMap(({ grantedAt }, index) => {
      const before = leases[index - 1];
      const turn = turns.find(({ endedAt }) => endedAt === undefined || endedAt > grantedAt);
      if (before === undefined || before.released || turn === undefined) return [];
      // A conversation that was idle when its worker died waits only from its next message on.
      return [grantedAt - Math.max(before.until, turn.sentAt)];
    }),
  );
}

/** How long conversations with something to do waited from when a worker gave up a lost lease to the next lease. */
function waitsAfterLoss(histories, events) {
  const leasesOf = new Map(histories.map(({ conversation, leases }) => [conversation.key, leases]));
  return events.flatMap(({ type, key, epoch, why, at }) => {
    if (type !== 'lost' || why === 'taken' || why === 'removed') return [];
    const next = leasesOf.get(key)?.find((lease) => lease.epoch > epoch);
    return next === undefined ? [] : [Math.max(0, next.grantedAt - at)];
  });
}

function countPoints(deaths) {
  return `${new Set(deaths.map(({ point }) => point)).size} points`;
}

/** From a lease that was taken over, and from the death of its owner, to the first message of the new lease. */
function firstMessages(histories, deaths) {
  const diedAt = new Map(deaths.map(({ who, at }) => [who, at]));
  const afterLease = [];
  const afterKill = [];
  for (const { leases, events } of histories) {
    for (const [index, { epoch, grantedAt }] of leases.entries()) {
      const before = leases[index - 1];
      if (before === undefined || before.released) continue;
      const first = events.find((event) => event.epoch === epoch && event.type === 'message');
      if (!first) continue;
      afterLease.push(first.at - grantedAt);
      const killedAt = diedAt.get(before.owner);
      // One that had lost the lease before it died is not what the new one waited for.
      if (killedAt < before.until) afterKill.push(first.at - killedAt);
    }
  }
  return { afterLease, afterKill };
}

/** From an answer to the run of the call it was about; parked when the turn was put aside before. */
function answersToTools(notes) {
  const held = [];
  const parked = [];
  for (const { conversation, turn, at, taken } of of(notes, 'answered')) {
    if (!taken) continue;
    const run = notes.find((note) => note.kind === 'run' && note.k === conversation && note.at >= at - 5);
    if (!run) continue;
    const wasParked = notes.some(
      (note) =>
        note.type === 'turn-parked' && note.key === conversation && note.turn === turn && note.at < at,
    );
    (wasParked ? parked : held).push(Math.max(0, run.at - at));
  }
  return { held, parked };
}

/**
 * Finds what is too slow on any machine. Most figures say more about the load than about the cluster, and are only printed.
 * But a CLI that no worker ends lives for seconds.
 */
export function findSlow({ notes }) {
  const orphans = of(notes, 'orphan').map(({ ms }) => ms ?? Infinity);
  if (orphans.length === 0 || percentile(orphans, 0.5) <= 3000) return [];
  return [{ promise: 'G7', what: 'CLIs go on for seconds when their host is dead' }];
}
