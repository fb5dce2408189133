// The tokens of a program. Their texts, one after the other, are the whole source, with spaces and comments.

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

/** A source in tokens. If it has a problem, the tokens after the problem are a guess. */
export interface TokenizedSource {
  tokens: Token[];
  problem: SourceProblem | undefined;
}

/** Whether a token is code, not a space or a comment. */
export function isCode({ kind }: Token): boolean {
  return kind !== 'space' && kind !== 'comment';
}
