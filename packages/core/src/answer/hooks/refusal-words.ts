// Finds a clear no, and its reason, in an answer that the CLI could not read, such as `{ deny: true }`,
// `{ decision: 'Denied' }` or `{ allow: false }`. It never reads anything as a yes.
import { asString, isRecord } from '../../util/guards.js';

const NO =
  /^(?:den(?:y|ied)|block(?:ed)?|reject(?:ed)?|refused?|forbid(?:den)?|declined?|disallow(?:ed)?|veto(?:ed)?|abort(?:ed)?|cancel(?:l?ed)?|stop(?:ped)?)$/i;
const YES =
  /^(?:allow(?:ed)?|approved?|accept(?:ed)?|permit(?:ted)?|ok|okay|continue|proceed|safe|valid|success|should(?:Allow|Continue|Proceed|Run))$/i;
/** Fields in which authors write a reason. */
const REASONS = ['reason', 'message', 'permissionDecisionReason', 'stopReason', 'denyReason'];
/** The levels below the answer: `hookSpecificOutput`, a decision in it, and one more for an answer nested too deep. */
const DEEPEST = 3;

/** A clear no; `reason` only where the answer gives one. */
export interface FoundRefusal {
  reason?: string | undefined;
}

/** Finds the no on any level; undefined where there is none. */
export function findRefusal(fields: Readonly<Record<string, unknown>>, depth = 0): FoundRefusal | undefined {
  const given = REASONS.map((field) => asString(fields[field])).find((text) => !!text);
  for (const [field, value] of Object.entries(fields)) {
    if (saysNo(field, value)) return { reason: given ?? asReason(field, value) };
    const inner = isRecord(value) && depth < DEEPEST ? findRefusal(value, depth + 1) : undefined;
    if (inner) return { reason: inner.reason ?? given };
  }
  return undefined;
}

function saysNo(field: string, value: unknown): boolean {
  if (REASONS.includes(field)) return false;
  if (typeof value === 'string' && NO.test(value.trim())) return true;
  if (NO.test(field)) return !!value;
  return YES.test(field) && value === false;
}

/** The reason in an answer such as `{ deny: 'Not as root.' }`. */
function asReason(field: string, value: unknown): string | undefined {
  const text = NO.test(field) ? asString(value) : undefined;
  return text !== undefined && NO.test(text.trim()) ? undefined : text;
}
