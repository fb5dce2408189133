// Reads an action from the body of a request. Every field is checked before the action is carried out.
import { isRecord, parseRecord } from '@inboard/core/util/guards.js';
import { quoteInput } from '@inboard/core/util/bounded-text.js';
import type { Action } from '../model/page-contract.js';

/** The error for a body that is not an action. */
export class BadAction extends Error {
  static override readonly name: string = 'BadAction';
}

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isFlag: Check = (value) => typeof value === 'boolean';
const isNumber: Check = (value) => typeof value === 'number' && Number.isInteger(value) && value >= 0;
const isJson: Check = (value) => value !== undefined;
const isStep: Check = (value) => isText(value) || isNumber(value);
const isList =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const orAbsent =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);

const isEdit: Check = (value) =>
  isRecord(value) &&
  isList(isStep)(value['path']) &&
  (Object.hasOwn(value, 'remove') ? value['remove'] === true : Object.hasOwn(value, 'value'));

const DECISIONS: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  allow: { edits: orAbsent(isList(isEdit)), remember: orAbsent(isList(isNumber)) },
  deny: { message: isText, interrupt: orAbsent(isFlag) },
  submit: { content: isRecord },
  decline: {},
  complete: { value: isJson },
  fail: { message: isText },
};

const ACTIONS: Readonly<Record<Action['action'], Readonly<Record<string, Check>>>> = {
  answer: { session: isText, id: isText, decision: isRecord },
  reveal: { session: isText, id: isText },
  send: { session: isText, text: isText },
  interrupt: { session: isText },
  'set-model': { session: isText, model: isText },
  'set-mode': { session: isText, mode: isText },
  rewind: { session: isText, messageId: isText, dryRun: isFlag },
  'call-tool': { session: isText, server: isText, tool: isText, input: isRecord },
  'create-link': {},
};

export const ACTION_NAMES = Object.keys(ACTIONS) as Action['action'][];

/** The key in the body of a request to enter; undefined if there is none. */
export function readEntryKey(json: string): string | undefined {
  const { key } = parseRecord(json) ?? {};
  return typeof key === 'string' && key !== '' ? key : undefined;
}

/** The action in a JSON text; throws a BadAction that says what is wrong with it. */
export function readAction(json: string): Action {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw new BadAction('The body is not JSON.');
  }
  if (!isRecord(value)) throw new BadAction('The body is not a JSON object.');
  checkFields(value, { kind: 'action', table: ACTIONS });
  const { decision } = value;
  if (value['action'] === 'answer') checkFields(decision as object, { kind: 'kind', table: DECISIONS });
  return value as unknown as Action;
}

function checkFields(
  value: object,
  { kind, table }: { kind: string; table: Readonly<Record<string, Readonly<Record<string, Check>>>> },
): void {
  const fields = value as Record<string, unknown>;
  const name = fields[kind];
  const checks = typeof name === 'string' && Object.hasOwn(table, name) ? table[name] : undefined;
  if (!checks)
    throw new BadAction(
      `"${kind}" is ${quoteInput(name)}, but must be one of: ${Object.keys(table).join(', ')}.`,
    );
  for (const [field, check] of Object.entries(checks)) {
    if (!check(Object.hasOwn(fields, field) ? fields[field] : undefined))
      throw new BadAction(`"${field}" of ${quoteInput(name)} is missing or of the wrong type.`);
  }
}
