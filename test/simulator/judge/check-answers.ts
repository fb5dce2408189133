// Whether every call of the model got its one true result: read from what the model itself read, the decisions of people, and the runs of
// handlers. Nothing of how the project does it is looked at.
import type { Plan, PlannedTurn } from '../plan.js';
import type { EndedTurn, Seen } from '../scenes/kit.js';

const NOT_RUN = /did not run/;
const UNKNOWN = /outcome is unknown/;
const REFUSED = /(?:cannot|could not) be recorded/;

/** Broken promises, each as one line. */
export function checkAnswers({
  plan,
  seen,
  turns,
}: {
  plan: Plan;
  seen: Seen;
  turns: readonly EndedTurn[];
}): string[] {
  const broken: string[] = [];
  // What could not be recorded and was then cut off is not known, as a warning has said.
  const kinds = new Set(plan.faults.map(({ kind }) => kind));
  const isForgetful = plan.scene === 'desk' && kinds.has('disk') && (kinds.has('kill') || kinds.has('cli'));
  for (const { key, turns: planned } of plan.conversations) {
    for (const turn of planned) {
      const ended = turns.find((each) => each.key === key && each.n === turn.n);
      if (!ended) continue;
      for (const what of checkTurn({ plan, seen, key, turn, ended }))
        if (!isForgetful || !what.startsWith('A ')) broken.push(`${what} (turn ${key} ${turn.n})`);
    }
  }
  return broken;
}

interface Case {
  plan: Plan;
  seen: Seen;
  key: string;
  turn: PlannedTurn;
  ended: EndedTurn;
}

function* checkTurn({ plan, seen, key, turn, ended }: Case): Iterable<string> {
  const isOwn = (each: { k: string; n: number }): boolean => each.k === key && each.n === turn.n;
  const runs = seen.runs.filter(isOwn);
  const decided = seen.answered.filter((each) => isOwn(each) && each.taken);
  for (let call = 0; call < turn.calls; call += 1) {
    const own = runs.filter((run) => run.call === call);
    if (plan.onRepeat === 'unknown' && own.length > 1)
      yield `G9 the call ${call} ran ${own.length} times although it must not be repeated`;
    if (plan.onRepeat !== 'run' && new Set(own.map(({ callKey }) => callKey)).size > 1)
      yield `G9 the call ${call} ran under two keys`;
    if (own.length > 0 && decided.some((each) => each.call === call && each.behavior === 'deny'))
      yield `G11 the call ${call} ran although it was denied`;
    if (decided.filter((each) => each.call === call).length > 1)
      yield `G11 people were asked twice about the call ${call}`;
    const isAsked = turn.together || (turn.asks && call === 0);
    if (
      isAsked &&
      own.length > 0 &&
      !seen.answered.some((each) => isOwn(each) && each.call === call && each.behavior === 'allow')
    )
      yield `G11 the call ${call} ran before anybody had allowed it`;
  }
  if (!ended.ok) return;
  const read = readResults(ended.text);
  if (read === undefined) {
    yield `G8 it was answered "${ended.text.slice(0, 80)}"`;
    return;
  }
  if (read.length !== turn.calls)
    yield `A the model made ${turn.calls} calls and read ${read.length} results`;
  const rest = [...read];
  const take = (looks: (text: string) => boolean): boolean => {
    const at = rest.findIndex(looks);
    if (at !== -1) rest.splice(at, 1);
    return at !== -1;
  };
  const isFull = plan.faults.some(({ kind }) => kind === 'disk');
  for (let call = 0; call < turn.calls; call += 1) {
    const name = `${key} ${turn.n} ${call}`;
    const own = runs.filter((run) => run.call === call);
    if (take((text) => text.includes(`did ${name}`))) {
      if (own.length === 0) yield `A the call ${call} has a result and never ran`;
      continue;
    }
    const decision = decided.find((each) => each.call === call)?.behavior;
    if (take((text) => text.includes(`denied ${name}`))) {
      if (decision === 'allow') yield `A the call ${call} was allowed, and the model read that it was denied`;
      continue;
    }
    if (decision === 'deny') yield `A the call ${call} was denied, and the model never read it`;
    else if (own.length > 0 && plan.onRepeat !== 'unknown')
      yield `A the call ${call} ran, and the model never read its result`;
    else if (own.length > 0) {
      // A result that was to come later has no place on a full disk.
      const isRefused = isFull && turn.pending.includes(call) && take((text) => REFUSED.test(text));
      if (!isRefused && !take((text) => UNKNOWN.test(text)))
        yield `A the call ${call} began, and the model read nothing true of it`;
    } else if (plan.onRepeat === 'unknown' && plan.faults.length > 0 && take((text) => UNKNOWN.test(text))) {
      // It was written down, and its host died before it began: nobody can know.
    } else if (isFull && take((text) => REFUSED.test(text))) {
      // It could not be written down on a full disk, and must not run twice.
    } else if (decision === 'allow') yield `A the call ${call} was allowed and never ran`;
    else if (!take((text) => NOT_RUN.test(text)))
      yield `A the model never read that the call ${call} did not run`;
  }
  for (const text of rest) yield `A the model read what belongs to no call: ${text.slice(0, 160)}`;
}

function readResults(text: string): string[] | undefined {
  try {
    const read: unknown = JSON.parse(text);
    return Array.isArray(read) ? read.map(String) : undefined;
  } catch {
    return undefined;
  }
}
