// Rules about how a program tells errors apart.
import { closeOf } from '../program/literals.js';
import type { Program } from '../program/program.js';
import type { Token } from '../tokens/token.js';
import { comparedText, isLostMessage, isOfficialMessage } from './error-messages.js';
import type { RuleFinding, MigrationRule } from './rule.js';

const MESSAGES = [
  'process exited with code',
  'process terminated by',
  'aborted by user',
  'returned an error result',
  'peration aborted',
  'ProcessTransport',
  'Query closed before',
];
const COMPARES = new Set(['includes', 'startsWith', 'endsWith', 'indexOf', 'match', 'search']);
const EQUALS = new Set(['===', '!==', '==', '!=']);

/** Whether a text or regular expression is compared with something. */
function isCompared(code: readonly Token[], index: number): boolean {
  const before = code[index - 1]?.text ?? '';
  const after = code[index + 1]?.text ?? '';
  if (EQUALS.has(before) || EQUALS.has(after)) return true;
  if (before === '(' && COMPARES.has(code[index - 2]?.text ?? '')) return true;
  return (
    code[index]?.kind === 'regex' && after === '.' && /^(?:test|exec)$/.test(code[index + 2]?.text ?? '')
  );
}

/**
 * Finds handlers of `unhandledRejection` and `uncaughtException` that look for errors of the official SDK. Returns the
 * ranges of the calls that add them.
 */
function findRejectionFilters({ code }: Program): { start: number; end: number }[] {
  return code.flatMap((token, index) => {
    if (!/^['"`](?:unhandledRejection|uncaughtException)['"`]$/.test(token.text)) return [];
    if (
      code[index - 1]?.text !== '(' ||
      !/^(?:on|once|addListener|prependListener)$/.test(code[index - 2]?.text ?? '')
    )
      return [];
    const end = closeOf(code, index - 1);
    const isFilter = code.slice(index, end).some((each) => isOfficialMessage(comparedText(each) ?? ''));
    return isFilter ? [{ start: index, end }] : [];
  });
}

const ERROR_MESSAGE: MigrationRule = {
  id: 'error-message',
  weight: 'breaks',
  section: 'errors-are-told-apart-by-class-and-code',
  why: 'Messages of Inboard are worded differently, so this comparison never matches.',
  advice:
    'Compare the class or "code" of the error: AbortError, ProcessExitError ("exitCode", "signal"), ResultError, SessionClosedError.',
  mentions: MESSAGES,
  find: (program) => {
    const filters = findRejectionFilters(program);
    return program.code.flatMap((token, index) => {
      if (token.kind !== 'string' && token.kind !== 'regex' && token.kind !== 'template') return [];
      const text = comparedText(token);
      if (text === undefined || !isLostMessage(text) || !isCompared(program.code, index)) return [];
      // Another rule reports handlers that are no longer needed.
      if (filters.some(({ start, end }) => start <= index && index < end)) return [];
      return [{ offset: token.start, what: `No error message of Inboard contains "${text}".` }];
    });
  },
};

const ABORT_ERROR_NAME: MigrationRule = {
  id: 'abort-error-name',
  weight: 'know',
  section: 'errors-are-told-apart-by-class-and-code',
  why: 'The AbortError of the official SDK has the name "Error"; that of Inboard is named "AbortError".',
  advice:
    'Nothing, unless you relied on the comparison being false. "instanceof AbortError" works with both.',
  find: ({ code }) =>
    code.flatMap((token, index): RuleFinding[] => {
      if (!/^['"`]AbortError['"`]$/.test(token.text)) return [];
      const isName = code[index - 2]?.text === 'name' && EQUALS.has(code[index - 1]?.text ?? '');
      return isName
        ? [{ offset: token.start, what: 'The name of an abort is "AbortError", so this now matches.' }]
        : [];
    }),
};

const LAUNCH_ERROR_CLASS: MigrationRule = {
  id: 'launch-error-class',
  weight: 'breaks',
  section: 'errors-are-told-apart-by-class-and-code',
  why: 'The official SDK reports a CLI that cannot be started as a ReferenceError; Inboard has classes for it.',
  advice: 'Use ExecutableNotFoundError and LaunchError. The field "errorClass" is the same in both.',
  find: ({ code }) =>
    code.flatMap((token, index): RuleFinding[] =>
      token.text === 'ReferenceError' && code[index - 1]?.text === 'instanceof'
        ? [{ offset: token.start, what: 'Inboard throws no ReferenceError.' }]
        : [],
    ),
};

const REJECTION_FILTER: MigrationRule = {
  id: 'rejection-filter',
  weight: 'know',
  section: 'workarounds-you-can-drop',
  why: 'Inboard leaves no rejection unhandled: whatever fails is thrown where you wait for it, or is given to "onWarning".',
  advice: 'Remove the handler.',
  find: (program) =>
    findRejectionFilters(program).map(({ start }) => ({
      offset: program.code[start]?.start ?? 0,
      what: 'This handler filters errors that escape from the official SDK.',
    })),
};

/** The rules about errors. */
export const ERROR_RULES: readonly MigrationRule[] = [
  ERROR_MESSAGE,
  ABORT_ERROR_NAME,
  LAUNCH_ERROR_CLASS,
  REJECTION_FILTER,
];
