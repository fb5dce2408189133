// Cuts a program in JavaScript, TypeScript or JSX into tokens, in linear time. It knows the tokens of these languages
// but not their grammar, so it accepts programs that no compiler would accept. It reports the first place that it
// cannot read.
import { openFrame, isOperandAfter, type Before, type OpenBracket } from './operand.js';
import { scanAttribute, scanComment, scanRegex, scanString, scanTemplate } from './scan-literals.js';
import type { SourceProblem, Token, TokenizedSource, TokenKind } from './token.js';

const SPACE = /\s+/y;
const NAME =
  /#?(?:[\p{ID_Start}$_]|\\u[\da-f]{4}|\\u\{[\da-f]+\})(?:[\p{ID_Continue}$\u200c\u200d]|\\u[\da-f]{4}|\\u\{[\da-f]+\})*/iuy;
const TAG_NAME = /[\p{ID_Start}$_][\p{ID_Continue}$-]*/uy;
const NUMBER =
  /(?:0[xob][\da-f_]+|\d[\d_]*(?:\.[\d_]*)?(?:e[+-]?\d[\d_]*)?|\.\d[\d_]*(?:e[+-]?\d[\d_]*)?)n?/iy;
// Each `>` is a token of its own, because each may end type arguments.
const PUNCTUATOR =
  /\.\.\.|=>|[=!]==?|\?\.(?!\d)|\?\?=?|&&=?|\|\|=?|\*\*=?|\+\+|--|[-+*/%&|^]=|[-+*/%&|^<>=!?:;,.~@(){}[\]]/y;
const JSX_TEXT = /[^<{]+/y;
const CLOSED_BY: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/** Cuts a source. `jsx` says whether a `<` may begin an element. */
export function tokenize(source: string, { jsx }: { jsx: boolean }): TokenizedSource {
  const cutter = new Cutter(source, jsx);
  cutter.run();
  return { tokens: cutter.tokens, problem: cutter.problem };
}

class Cutter {
  readonly tokens: Token[] = [];
  problem: SourceProblem | undefined;
  readonly #source: string;
  readonly #jsx: boolean;
  readonly #frames: OpenBracket[] = [];
  #at = 0;
  // Before this position no regular expression ends. An earlier search has found that already, and repeating it for
  // each slash would take quadratic time.
  #noRegexBefore = 0;
  #before: Before = { last: undefined, secondLast: undefined, isOperandNext: true };

  constructor(source: string, jsx: boolean) {
    this.#source = source;
    this.#jsx = jsx;
  }

  run(): void {
    while (this.#at < this.#source.length) {
      const { kind } = this.#frames.at(-1) ?? {};
      if (kind === 'children') this.#readChild();
      else if (kind === 'tag') this.#readInTag();
      else this.#readCode();
    }
    const open = this.#frames.at(-1);
    if (!open) return;
    const what = { tag: 'tag', children: 'element' }[open.kind as string] ?? `"${open.kind}"`;
    this.#complain(open.start, `The ${what} that begins here is never closed.`);
  }

  #readCode(): void {
    if (this.#readSpaceOrComment() || this.#match('name', NAME)) return;
    const character = this.#source[this.#at] ?? '';
    if (character === '"' || character === "'") {
      const { end, isClosed } = scanString(this.#source, this.#at);
      return this.#push('string', end, isClosed ? undefined : 'The text that begins here is never closed.');
    }
    if (character === '`') return this.#readTemplate();
    if (character === '}' && this.#frames.at(-1)?.kind === '${') {
      this.#frames.pop();
      return this.#readTemplate();
    }
    if (this.#match('number', NUMBER)) return;
    if (character === '/' && this.#before.isOperandNext && this.#at >= this.#noRegexBefore) {
      const { end, isClosed } = scanRegex(this.#source, this.#at);
      if (isClosed) return this.#push('regex', end);
      this.#noRegexBefore = end;
    }
    if (character === '<' && this.#beginsElement()) return this.#openTag();
    this.#readPunctuator();
  }

  #readPunctuator(): void {
    const start = this.#at;
    const text = this.#find(PUNCTUATOR);
    if (text === undefined) {
      const character = String.fromCodePoint(this.#source.codePointAt(start) ?? 0);
      const problem = `The character ${JSON.stringify(character)} has no meaning here.`;
      return this.#push('unknown', start + character.length, problem);
    }
    const token: Token = { kind: 'punctuator', text, start };
    if (text === '(' || text === '[' || text === '{') {
      const frame = openFrame(token, this.#before, this.#frames.at(-1));
      this.#add(token);
      this.#frames.push(frame);
    } else if (text in CLOSED_BY) this.#add(token, this.#close(token));
    else this.#add(token);
  }

  /** Closes the innermost bracket. If it does not match, this is reported as a problem. */
  #close({ text, start }: Token): OpenBracket | undefined {
    const open = this.#frames.at(-1);
    if (open?.kind === CLOSED_BY[text]) return this.#frames.pop();
    const against = open ? `, where "${open.kind}" is open` : '';
    this.#complain(start, `The "${text}" here closes nothing${against}.`);
    return undefined;
  }

  #readTemplate(): void {
    const start = this.#at;
    const { end, isClosed, isOver } = scanTemplate(this.#source, start);
    this.#push('template', end, isClosed ? undefined : 'The template that begins here is never closed.');
    if (isOver) return;
    this.#frames.push({ kind: '${', start, opensStatement: false });
    this.#before = { ...this.#before, isOperandNext: true };
  }

  #readChild(): void {
    const character = this.#source[this.#at];
    if (character === '<') this.#openTag();
    else if (character === '{') this.#openHole();
    else this.#match('jsx-text', JSX_TEXT);
  }

  /** Opens braces with code, in an element or a tag. */
  #openHole(): void {
    const frame: OpenBracket = { kind: '{', start: this.#at, opensStatement: false };
    this.#push('punctuator', this.#at + 1);
    this.#frames.push(frame);
  }

  #openTag(): void {
    const start = this.#at;
    const isClosing = this.#source[start + 1] === '/';
    this.#push('punctuator', start + (isClosing ? 2 : 1));
    this.#frames.push({ kind: 'tag', start, opensStatement: false, isClosing, angles: 0 });
  }

  #readInTag(): void {
    if (this.#readSpaceOrComment() || this.#match('name', TAG_NAME)) return;
    const frame = this.#frames.at(-1);
    const character = this.#source[this.#at];
    if (character === '"' || character === "'") {
      const { end, isClosed } = scanAttribute(this.#source, this.#at);
      return this.#push('string', end, isClosed ? undefined : 'The text that begins here is never closed.');
    }
    if (character === '{') return this.#openHole();
    if (character === '<' && this.#before.last?.text === '=') return this.#openTag();
    if (character === '<' && frame) frame.angles = (frame.angles ?? 0) + 1;
    if (this.#source.startsWith('/>', this.#at)) return this.#closeTag(2, true);
    if (character === '>' && frame?.angles) frame.angles -= 1;
    else if (character === '>') return this.#closeTag(1, frame?.isClosing === true);
    this.#push('punctuator', this.#at + 1);
  }

  #closeTag(length: number, isOver: boolean): void {
    const tag = this.#frames.pop();
    const start = this.#at;
    if (!isOver) this.#frames.push({ kind: 'children', start: tag?.start ?? start, opensStatement: false });
    else if (tag?.isClosing && this.#frames.at(-1)?.kind === 'children') this.#frames.pop();
    else if (tag?.isClosing) this.#complain(tag.start, 'The tag here closes no element.');
    this.#push('punctuator', start + length);
    this.#before = { ...this.#before, isOperandNext: false };
  }

  // Whether `<` begins an element. `<T,>() => …` and `<T extends U>() => …` are functions with type parameters, even
  // where elements are allowed. `<T>(…` is one too, if no closing tag follows later.
  #beginsElement(): boolean {
    if (!this.#jsx || !this.#before.isOperandNext) return false;
    if (this.#source[this.#at + 1] === '>') return true;
    TAG_NAME.lastIndex = this.#at + 1;
    const name = TAG_NAME.exec(this.#source)?.[0];
    if (name === undefined || name === 'const') return false;
    const rest = this.#source.slice(TAG_NAME.lastIndex, TAG_NAME.lastIndex + 80).trimStart();
    if (/^(?:,|extends\b|=)/.test(rest)) return false;
    return !/^>\s*\(/.test(rest) || this.#lastClosing(name) > this.#at;
  }

  readonly #closings = new Map<string, number>();

  #lastClosing(name: string): number {
    const known = this.#closings.get(name);
    if (known !== undefined) return known;
    const found = this.#source.lastIndexOf(`</${name}`);
    this.#closings.set(name, found);
    return found;
  }

  #readSpaceOrComment(): boolean {
    if (this.#match('space', SPACE)) return true;
    const comment = scanComment(this.#source, this.#at);
    if (!comment) return false;
    const problem = comment.isClosed ? undefined : 'The comment that begins here is never closed.';
    this.#push('comment', comment.end, problem);
    return true;
  }

  #find(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#source)?.[0];
  }

  #match(kind: TokenKind, pattern: RegExp): boolean {
    const text = this.#find(pattern);
    if (text === undefined) return false;
    this.#add({ kind, text, start: this.#at });
    return true;
  }

  #push(kind: TokenKind, end: number, problem?: string): void {
    if (problem !== undefined) this.#complain(this.#at, problem);
    this.#add({ kind, text: this.#source.slice(this.#at, end), start: this.#at });
  }

  #add(token: Token, closed?: OpenBracket): void {
    this.tokens.push(token);
    this.#at = token.start + token.text.length;
    if (token.kind === 'space' || token.kind === 'comment') return;
    const isOperandNext = isOperandAfter(token, this.#before, closed);
    this.#before = { last: token, secondLast: this.#before.last, isOperandNext };
  }

  // Only the first problem is kept, because the others may be its consequences.
  #complain(offset: number, message: string): void {
    this.problem ??= { offset, message };
  }
}
