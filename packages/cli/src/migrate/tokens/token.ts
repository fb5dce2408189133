// What a program is cut into. Tokens leave nothing out: their texts, one after the other, are the source.

/** The kinds of tokens. A template is cut at its `${` and `}`; what stands between them are tokens of their own. */
export type TokenKind =
  | 'space'
  | 'comment'
  | 'name'
  | 'number'
  | 'string'
  | 'template'
  | 'regex'
  | 'punctuator'
  | 'jsx-text'
  | 'unknown';

/** A piece of a source text. */
export interface Token {
  kind: TokenKind;
  text: string;
  /** Where it begins, in UTF-16 units. */
  start: number;
}

/** Where a source stops making sense, and why. */
export interface SourceProblem {
  offset: number;
  message: string;
}

/** A source, cut; with a problem, what follows it is a guess. */
export interface TokenizedSource {
  tokens: Token[];
  problem: SourceProblem | undefined;
}

/** Whether a token says something to the program. */
export function isCode({ kind }: Token): boolean {
  return kind !== 'space' && kind !== 'comment';
}
