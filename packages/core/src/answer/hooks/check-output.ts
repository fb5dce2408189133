// Checks a hook's return value before it is sent. The CLI treats an answer that it cannot read as an empty one, and
// skips fields that it does not know. A refusal in the wrong words would let the call through, so this file reports it
// as a problem.
import { asString, hasFields, isRecord } from '../../util/guards.js';
import { messageOf } from '../../util/message-of.js';
import { withoutNulls } from '../../util/without-undefined.js';
import type { WireObject } from '../../wire/protocol/codec.js';
import { findHookEvent } from '../../wire/protocol/hooks/hook-events.js';
import {
  describeValue,
  findOutputProblem,
  findReason,
  hasMeaning,
  nameFields,
  pickUnknown,
} from './answer-fields.js';
import { translateDecision } from './permission-answer.js';
import { findRefusal } from './refusal-words.js';

/** Why an answer was not understood. */
export interface OutputProblem {
  /** What is wrong with the return value. The text follows the word "returned" in a sentence. */
  problem: string;
  /** The reason of a clear refusal; undefined where the hook does not refuse or gives no reason. */
  reason?: string | undefined;
  /** The answer to send where a failed hook does not count as a refusal. */
  harmless?: WireObject | undefined;
}

/** The answer to send, or what is wrong with the return value. */
export type CheckedOutput =
  | {
      output: WireObject;
      /** Unknown fields beside a valid answer. The CLI does not read them. */
      ignored?: string[] | undefined;
      /** Whether the answer has a reason but no decision. */
      isUndecided?: boolean | undefined;
    }
  | OutputProblem;

/** Reads a hook's return value. It repairs null fields and a missing event name, which can mean only one thing. */
export function checkOutput(event: string, value: unknown): CheckedOutput {
  try {
    return readValue(event, value);
  } catch (error) {
    // A getter or a proxy threw, or JSON has no text for the value.
    return { problem: `something that cannot be read as JSON (${messageOf(error)})` };
  }
}

function readValue(event: string, value: unknown): CheckedOutput {
  if (!isRecord(value)) return { problem: `${describeValue(value)}, which is not an object` };
  // `JSON.stringify` would send the result of this method.
  if (typeof value['toJSON'] === 'function') return readValue(event, value['toJSON']());
  if (!hasFields(value)) return { problem: `${describeValue(value)}, which has no fields` };
  // The CLI refuses null in fields that may be left out.
  const output = withoutNulls(value);
  if (output['behavior'] !== undefined) return readDecision(event, output);
  const problem = findOutputProblem(event, output) ?? findConflict(event, output);
  if (problem !== undefined) return { problem, reason: findRefusal(output)?.reason };
  const unknown = pickUnknown(event, output);
  const names = nameFields(unknown);
  if (names.length === 0) return { output: encode(event, output), isUndecided: isUndecided(event, output) };
  const refusal = findRefusal(unknown);
  if (refusal === undefined && hasMeaning(event, output) && !findMisplaced(event, output))
    return { output: encode(event, output), ignored: names };
  return {
    problem: describeUnknown(event, output, names),
    // The refusal may be in an unknown field and its reason in a known one.
    reason: refusal && (refusal.reason ?? asString(output['reason']) ?? asString(output['stopReason'])),
    harmless: encode(event, output),
  };
}

function readDecision(event: string, output: WireObject): CheckedOutput {
  const refusal = findRefusal(output);
  const translated = translateDecision(event, output);
  if ('problem' in translated) return { ...translated, reason: refusal?.reason };
  // The answer says both yes and no.
  if (output['behavior'] === 'allow' && refusal)
    return { problem: '"behavior": "allow" together with a refusal', reason: refusal.reason };
  return { output: toPlain(translated.output), ignored: translated.ignored };
}

/** Whether an answer has a reason but no decision. It lets the call pass, although its author may have meant to stop it. */
function isUndecided(event: string, output: WireObject): boolean {
  const asksBefore = findHookEvent(event)?.failsClosed?.includes('unreadable') === true;
  return asksBefore && findReason(output) !== undefined && !hasMeaning(event, output);
}

/** Why the CLI may ignore a decision in an answer that it can read. */
function findConflict(event: string, output: WireObject): string | undefined {
  const { blockedBy = [], failsClosed, accepts } = findHookEvent(event) ?? {};
  if (!failsClosed?.includes('unreadable')) return undefined;
  if (output['async'] === true) {
    const decided = output['hookSpecificOutput'] !== undefined || findRefusal(output) !== undefined;
    return decided ? '"async": true together with a decision, which then has no effect' : undefined;
  }
  if (output['decision'] !== 'block') return undefined;
  const given = output['hookSpecificOutput'];
  const specific = hasFields(given) ? given : {};
  const { permissionDecision, decision } = specific;
  const behavior = isRecord(decision) ? decision['behavior'] : undefined;
  const verdict = accepts?.['permissionDecision'] ? permissionDecision : behavior;
  // The two fields contradict each other. Version 2.1.33 reads one of them, and newer versions read the other.
  if (verdict !== undefined && verdict !== null && verdict !== 'deny')
    return `"decision": "block" together with ${describeValue(verdict)}`;
  const isHeard = verdict === 'deny' || blockedBy.includes('decision') || blockedBy.includes('action');
  return isHeard ? undefined : `"decision": "block", which has no effect on ${event}`;
}

/** A field that belongs inside `hookSpecificOutput` but stands beside it. */
function findMisplaced(event: string, output: WireObject): string | undefined {
  const accepted = findHookEvent(event)?.accepts ?? {};
  return Object.keys(output).find((field) => field !== 'decision' && Object.hasOwn(accepted, field));
}

function describeUnknown(event: string, output: WireObject, names: readonly string[]): string {
  const misplaced = findMisplaced(event, output);
  if (misplaced !== undefined) return `"${misplaced}" next to "hookSpecificOutput"; it belongs inside it`;
  return `${names.join(', ')}, which is not part of an answer to ${event}`;
}

function encode(event: string, output: WireObject): WireObject {
  const specific = output['hookSpecificOutput'];
  if (!hasFields(specific)) return toPlain(output);
  const named = nameEvent(event, specific);
  // CLI 2.1.325 ignores `action` in the answer of a callback, and reads `decision`.
  const hasAction = findHookEvent(event)?.accepts?.['action'] !== undefined;
  const isDeclined = hasAction && (named['action'] === 'decline' || named['action'] === 'cancel');
  return toPlain({
    ...output,
    ...(isDeclined ? { decision: 'block' } : {}),
    hookSpecificOutput: named,
  });
}

function nameEvent(event: string, specific: WireObject): WireObject {
  const kept = withoutNulls(specific);
  const { decision } = kept;
  return {
    ...kept,
    hookEventName: event,
    ...(isRecord(decision) ? { decision: withoutNulls(decision) } : {}),
  };
}

/** The answer as plain JSON. It no longer depends on the hook's object, whose getters may return other values later. */
function toPlain(output: WireObject): WireObject {
  return JSON.parse(JSON.stringify(output)) as WireObject;
}
