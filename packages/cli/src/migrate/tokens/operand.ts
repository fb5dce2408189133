// Decides whether an operand may begin after a token. If so, a slash begins a regular expression, and `<` begins an
// element. Otherwise they are operators.
import type { Token } from './token.js';

/** An opened bracket, tag or element that waits for its end. */
export interface OpenBracket {
  kind: '(' | '[' | '{' | '${' | 'tag' | 'children';
  start: number;
  /** Whether a new statement may follow its end, as after a block or a condition. Otherwise an operator follows. */
  opensStatement: boolean;
  /** For a tag: whether it is `</name>`. */
  isClosing?: boolean;
  /** For a tag: how many lists of type arguments are open in it. */
  angles?: number;
}

// After these words an expression follows. Any other name is an operand itself.
const BEFORE_OPERAND = new Set(
  'return typeof instanceof in of new delete void throw case do else await yield default extends'.split(' '),
);
const BEFORE_CONDITION = new Set(['if', 'while', 'for', 'with']);
// After these words a brace begins an object.
const BEFORE_OBJECT = new Set(
  'return typeof in of new case await yield default throw void delete'.split(' '),
);

/** The last two tokens that are not spaces or comments. */
export interface Before {
  last: Token | undefined;
  secondLast: Token | undefined;
  /** Whether an operand may follow them. */
  isOperandNext: boolean;
}

/** Whether a name is a word of the language here, and not a property of something. */
function isWord({ last, secondLast }: Before, words: ReadonlySet<string>): boolean {
  if (last?.kind !== 'name' || !words.has(last.text)) return false;
  return secondLast?.text !== '.' && secondLast?.text !== '?.';
}

/** Whether an operand may follow, now that `token` is the last one. */
export function isOperandAfter(token: Token, before: Before, closed: OpenBracket | undefined): boolean {
  if (closed) return closed.opensStatement;
  if (token.kind === 'name')
    return isWord({ ...before, last: token, secondLast: before.last }, BEFORE_OPERAND);
  if (token.kind !== 'punctuator') return false;
  const isDirectlyBehind = before.last && before.last.start + before.last.text.length === token.start;
  // `i++` and `value!` are operands, so none follows them.
  if (token.text === '++' || token.text === '--') return before.isOperandNext;
  if (token.text === '!') return before.isOperandNext || !isDirectlyBehind;
  return token.text !== ')' && token.text !== ']' && token.text !== '}';
}

/** Creates the entry for a bracket that opens. */
export function openFrame(token: Token, before: Before, outer: OpenBracket | undefined): OpenBracket {
  const kind = token.text as '(' | '[' | '{';
  if (kind === '(') {
    const isCondition =
      isWord(before, BEFORE_CONDITION) ||
      (before.last?.text === 'await' && before.secondLast?.text === 'for');
    return { kind, start: token.start, opensStatement: isCondition };
  }
  return { kind, start: token.start, opensStatement: kind === '{' && isBlock(before, outer) };
}

function isBlock(before: Before, outer: OpenBracket | undefined): boolean {
  const { last } = before;
  const isInBlock = outer === undefined || (outer.kind === '{' && outer.opensStatement);
  if (last === undefined) return true;
  if (last.kind === 'name') return !isWord(before, BEFORE_OBJECT);
  if (last.kind === 'string') return true;
  if (last.text === '{' || last.text === '}' || last.text === ';') return isInBlock;
  return last.text === ')' || last.text === '=>' || last.text === ']' || last.text === '>';
}
