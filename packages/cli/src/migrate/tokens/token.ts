// The tokens of a program. Spaces and comments are tokens too, so the texts of all tokens together are the whole
// source.

/** The kinds of tokens. A template is cut at its `${` and `}`, and the code between them has tokens of its own. */
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
  /** Where the token begins, in UTF-16 units. */
  start: number;
}

/** Where a source stops making sense, and why. */
export interface SourceProblem {
  offset: number;
  message: string;
}

/** The tokens of a source. If there is a problem, the tokens after it are a guess. */
export interface TokenizedSource {
  tokens: Token[];
  problem: SourceProblem | undefined;
}

/** Whether a token is code, not a space or a comment. */
export function isCode({ kind }: Token): boolean {
  return kind !== 'space' && kind !== 'comment';
}
