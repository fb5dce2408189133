// Compares what two CLIs wrote: kinds of frames, their fields and the types of these, and how control requests were answered.
import { MAPS, OPEN } from '../protocol/infer-schema.mjs';
import { byName, compareMaps } from './differences.mjs';

const DEEPEST = 6;
const isFromCli = ({ dir }) => dir === 'in';

/** Every field of every kind of frame that the CLI wrote, as `kind field`, with the types it had; a kind alone has none. */
export function shapesOf(frames) {
  const types = new Map();
  const note = (name, value) => {
    const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
    types.set(name, (types.get(name) ?? new Set()).add(type));
  };
  for (const { kind, frame } of frames.filter(isFromCli)) {
    note(kind, frame);
    walk(frame, { note, prefix: `${kind} `, depth: 0 });
  }
  return new Map([...types].map(([name, found]) => [name, writeTypes(found)]));
}

// A field that may be null counts as the same field if no sample was null.
function writeTypes(found) {
  const named = [...found].filter((type) => type !== 'null').toSorted(byName);
  return named.length > 0 ? named.join(' or ') : 'null';
}

function walk(value, { note, prefix, depth, name = '' }) {
  if (depth > DEEPEST || OPEN.has(name)) return;
  if (Array.isArray(value)) {
    for (const each of value)
      walk(each, { note, prefix: `${prefix}[]`, depth: depth + 1, name: `${name}[]` });
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  const isMap = MAPS.has(name);
  for (const [key, each] of Object.entries(value)) {
    const path = `${prefix}${prefix.endsWith(' ') ? '' : '.'}${isMap ? '*' : key}`;
    note(path, each);
    walk(each, { note, prefix: path, depth: depth + 1, name: isMap ? `${name}{}` : key });
  }
}

/** What of `before` went, came or changed. A field of a kind that is itself new or gone is not told again. */
export function compareShapes(before, after) {
  // A type that was only ever null says nothing.
  const known = (shapes) =>
    new Map([...shapes].map(([name, type]) => [name, type === 'null' ? 'any' : type]));
  const [one, other] = [known(before), known(after)];
  for (const [name, type] of one)
    if (other.has(name) && (type === 'any' || other.get(name) === 'any')) other.set(name, type);
  const { same, added, gone, changed } = compareMaps(one, other);
  return { same, added: outermost(added), gone: outermost(gone), changed };
}

/** Without names that lie below another of the list. */
function outermost(names) {
  const isBelow = (name, other) =>
    name !== other && [' ', '.', '['].some((end) => name.startsWith(`${other}${end}`));
  return names.filter((name) => !names.some((other) => isBelow(name, other)));
}

const UNKNOWN_REQUEST = /unsupported control request|unknown control request/i;

/** How each control request of the host was answered: `accepted`, `error`, `unknown` to the CLI, or `unanswered`. */
export function answersOf(frames) {
  const answers = new Map();
  const rank = ['unanswered', 'unknown', 'error', 'accepted'];
  const note = (subtype, answer) => {
    const known = answers.get(subtype);
    if (known === undefined || rank.indexOf(answer) > rank.indexOf(known)) answers.set(subtype, answer);
  };
  for (const { dir, frame, question } of frames) {
    if (frame.type === 'control_request' && dir === 'out') note(frame.request.subtype, 'unanswered');
    if (frame.type === 'control_response' && dir === 'in' && question !== undefined) {
      const { subtype, error } = frame.response;
      note(
        question.request.subtype,
        subtype === 'success' ? 'accepted' : UNKNOWN_REQUEST.test(error) ? 'unknown' : 'error',
      );
    }
  }
  return answers;
}

/** Requests that the table of controls promises for this version, and the CLI does not know. */
export function findBrokenRequests(answers, { version, since, compareVersions }) {
  return [...answers]
    .filter(([, answer]) => answer === 'unknown' || answer === 'unanswered')
    .filter(
      ([subtype]) => since.get(subtype) !== undefined && compareVersions(version, since.get(subtype)) >= 0,
    )
    .map(([subtype, answer]) => `${subtype}: ${answer}, promised since ${since.get(subtype)}`);
}
