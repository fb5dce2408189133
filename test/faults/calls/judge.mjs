// What must hold for a cell, from what its processes wrote down: which points each life passed, which effects there were, what people were
// asked, and what the model was sent. Knows nothing of how calls are completed.
import { planLives } from './table.mjs';

export const UNREACHED = 'the point was never reached';

const UNKNOWN = /outcome is unknown|It may or may not have completed/;
const NOT_RUN = /did not run/;

/** What is wrong; empty where every promise was kept. */
export function judge(cell, record) {
  const seen = new Seen(record);
  const orders = Array.from({ length: cell.calls }, (_, at) => at);
  return [
    ...judgePlay(cell, seen),
    ...orders.flatMap((call) => judgeCall(cell, seen, call)),
    ...judgeRequests(cell, record.requests),
    ...judgeTurn(cell, seen),
    ...judgeQuestions(seen),
  ];
}

class Seen {
  constructor({ notes, effects, requests }) {
    this.notes = notes;
    this.effects = effects;
    this.requests = requests;
  }

  list(kind) {
    return this.notes.filter((note) => note.kind === kind);
  }

  reached(point, when, call, life) {
    return this.list('reach').some(
      (note) =>
        note.point === point &&
        note.when === when &&
        note.call === call &&
        (life === undefined || note.life === life),
    );
  }

  get lives() {
    return [...new Set(this.notes.map(({ life }) => life))].filter((life) => life !== undefined);
  }
}

function judgePlay(cell, seen) {
  const deaths = seen.list('death');
  // Of two hosts, one may find its CLI in the way of the other's: the claim is about calls, and one conversation has one host.
  const failed = cell.point === 'two hosts' && seen.list('outcome').length > 0 ? [] : seen.list('failed');
  const problems = failed.map(({ error }) => `a host failed: ${error}`);
  if (deaths.length < planLives(cell).length) problems.push(UNREACHED);
  return problems;
}

/** One call: its effects, and what the model was told of it in the end. */
function judgeCall(cell, seen, call) {
  const problems = [];
  const effects = seen.effects.filter((effect) => effect.call === call).length;
  const made = seen.requests.at(-1)?.calls.find((each) => each.call === call);
  const told = made?.results[0];
  const cut = seen.lives.filter((life) => wasCut(cell, seen, call, life));
  const mayRepeat = cell.onRepeat === 'run';
  if (effects > 1 + (mayRepeat ? cut.length : 0)) problems.push(`call ${call}: ${effects} effects`);
  if (made === undefined && isUnsaid(cell, seen, call)) return problems;
  if (told === undefined) return [...problems, `call ${call}: the model was told nothing of it`];
  if (told === `paid ${call}`) {
    if (effects === 0) problems.push(`call ${call}: a result without an effect`);
  } else if (NOT_RUN.test(told)) {
    if (effects > 0) problems.push(`call ${call}: "did not run", but it had an effect`);
    if (seen.reached('question stored', 'after', call))
      problems.push(`call ${call}: "did not run", but somebody was asked about it and allowed it`);
  } else if (UNKNOWN.test(told)) {
    if (cut.length === 0) problems.push(`call ${call}: "unknown", although it was known`);
    if (mayRepeat) problems.push(`call ${call}: "unknown", although its tool may run again`);
  } else problems.push(`call ${call}: the model was told ${JSON.stringify(told)}`);
  return problems;
}

/**
 * Whether the CLI died with its host before it wrote the call into the transcript. The model then does not know that it made the call, and
 * the host has heard nothing of it. Only a host that dies at the first message does not wait until all calls are in the transcript.
 */
function isUnsaid({ point, phase }, seen, call) {
  const isTraced =
    seen.notes.some((note) => note.call === call) || seen.effects.some((effect) => effect.call === call);
  return point === 'first message' && phase === 'live' && !isTraced;
}

/** Whether a life began the call and cannot have recorded its end. */
function wasCut(cell, seen, call, life) {
  // Where records answer later, what was sent to them may be there.
  const begun = cell.records === 'postgres' ? 'before' : 'after';
  const isTarget = seen
    .list('death')
    .some((death) => death.point === 'begin recorded' && death.when === 'before' && death.call === call);
  const hasBegun = seen.reached('begin recorded', isTarget ? 'after' : begun, call, life);
  return hasBegun && !seen.reached('result recorded', 'after', call, life);
}

/** Every request has each call once, with one result. */
function judgeRequests(cell, requests) {
  return requests.flatMap(({ calls }, index) => {
    const made = calls.map(({ call }) => call);
    const several = [...new Set(made.filter((call, at) => made.indexOf(call) !== at))];
    return [
      ...several.map((call) => `request ${index + 1}: call ${call} is there more than once`),
      ...calls
        .filter(({ results }) => results.length !== 1)
        .map(({ call, results }) => `request ${index + 1}: call ${call} has ${results.length} results`),
    ];
  });
}

/** The turn ended once, with the model's answer; its message was sent once. */
function judgeTurn(cell, seen) {
  const outcomes = seen.list('outcome');
  const problems = outcomes.length === 0 ? ['the turn is lost'] : [];
  for (const { text } of outcomes)
    if (text !== 'done a 1') problems.push(`the turn ended with ${JSON.stringify(text)}`);
  const prompts = seen.requests.at(-1)?.prompts ?? 0;
  if (prompts < 1 || prompts > mostPrompts(cell))
    problems.push(`the model has read the message ${prompts} times`);
  for (const { cli } of seen.list('left')) problems.push(`process ${cli} is left`);
  return problems;
}

/** A conversation sends a message again that its CLI had and said nothing about, under another id: then the CLI may know it twice. */
function mostPrompts({ records, point }) {
  return records === 'memory, CLI killed' && (point === 'CLI started' || point === 'first message') ? 2 : 1;
}

/** Who has answered is not asked again: no person, and no callback once the answer is recorded. */
function judgeQuestions(seen) {
  const again = new Set(seen.list('asked again').map(({ call }) => call));
  for (const { call, life } of seen.list('asking'))
    if (seen.lives.some((earlier) => earlier < life && seen.reached('answer noted', 'after', call, earlier)))
      again.add(call);
  return [...again].map((call) => `call ${call}: asked about again after its answer`);
}
