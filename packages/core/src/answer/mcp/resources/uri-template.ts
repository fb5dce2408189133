// Matches uris against uri templates (RFC 6570), and finds the values that a uri has for the variables of a template.
import { InvalidOptionsError } from '../../../errors.js';

/** A template ready for use. `match` returns the values of its variables in a uri, or null for a uri that does not fit. */
export interface CompiledTemplate {
  readonly names: readonly string[];
  match(uri: string): Record<string, string> | null;
}

/** The expressions of a template: the texts between its braces. The types below find the names of the variables in them. */
type Expressions<Uri extends string> = Uri extends `${string}{${infer Found}}${infer Rest}`
  ? Found | Expressions<Rest>
  : never;
type Names<List extends string> = List extends `${infer First},${infer Rest}`
  ? Bare<First> | Names<Rest>
  : Bare<List>;
type Bare<Name extends string> = Name extends `${infer Start}*` | `${infer Start}:${number}` ? Start : Name;
type PathNames<Found extends string> = Found extends `${'?' | '&'}${string}`
  ? never
  : Names<Found extends `${'+' | '#' | '/' | '.'}${infer Rest}` ? Rest : Found>;
type QueryNames<Found extends string> = Found extends `${'?' | '&'}${infer Rest}` ? Names<Rest> : never;

/** The variables of a uri template, by name. If the type of the template is only `string`, any name is allowed. */
export type UriVariablesOf<Uri extends string> = string extends Uri
  ? Record<string, string>
  : { [Name in PathNames<Expressions<Uri>>]: string } & { [Name in QueryNames<Expressions<Uri>>]?: string };

const EXPRESSION = /\{([^{}]*)\}/;
const VARIABLE = /^([\w.%-]+)(\*|:\d+)?$/;

/**
 * A longer uri fits no template, so that a match cannot take too long. Two variables in one part of a path can divide a
 * text in as many ways as it has characters, and the pattern may try all of them.
 */
const MAX_URI_CHARACTERS = 4096;

/** Whether a text is meant as a template. */
export function isUriTemplate(uri: string): boolean {
  return /[{}]/.test(uri);
}

/** Reads a template. Throws an InvalidOptionsError for a text that is not one. */
export function compileUriTemplate(template: string): CompiledTemplate {
  const pieces = template.split(EXPRESSION);
  const names: string[] = [];
  const queryGroups = new Set<number>();
  let groups = 0;
  const source = pieces
    .map((piece, index) => {
      if (index % 2 === 0) {
        if (/[{}]/.test(piece)) throw refuse(template, 'has an unmatched brace');
        return piece.replace(/[.*+?^$()|[\]\\]/g, '\\$&');
      }
      const operator = /^[+#/.?&;=,!@|]/.exec(piece)?.[0] ?? '';
      const variables = piece
        .slice(operator.length)
        .split(',')
        .map((part) => readVariable(part, template));
      if (operator !== '' && !'+#/.?&'.includes(operator)) {
        throw refuse(template, `uses the operator "${operator}", which cannot be matched against a uri`);
      }
      if (operator === '?' || operator === '&') {
        groups += 1;
        queryGroups.add(groups);
        return `(?:\\${operator}([^#]*))?`;
      }
      return variables
        .map(({ name, isLong }, place) => {
          groups += 1;
          names.push(name);
          return `${separate(operator, place)}${choosePattern(operator, isLong)}`;
        })
        .join('');
    })
    .join('');
  const pattern = new RegExp(`^${source}$`);
  const queryNames = new Set(listQueryNames(pieces));
  return {
    names: [...names, ...queryNames],
    match(uri) {
      const found = uri.length > MAX_URI_CHARACTERS ? null : pattern.exec(uri);
      if (!found) return null;
      const values: Record<string, string> = {};
      let next = 0;
      for (let group = 1; group <= groups; group += 1) {
        if (queryGroups.has(group)) Object.assign(values, readQuery(found[group], queryNames));
        else values[names[next++] ?? ''] = decode(found[group] ?? '');
      }
      return values;
    },
  };
}

function readVariable(part: string, template: string): { name: string; isLong: boolean } {
  const [, name, modifier] = VARIABLE.exec(part) ?? [];
  if (name === undefined) throw refuse(template, `has the variable "${part}", which is not a valid name`);
  return { name, isLong: modifier === '*' };
}

function separate(operator: string, place: number): string {
  if (operator === '/') return '/';
  if (operator === '.') return '\\.';
  if (place > 0) return ',';
  return operator === '#' ? '#' : '';
}

/** `{+path}`, `{#part}` and `{name*}` may contain slashes, `{name}` may not. */
function choosePattern(operator: string, isLong: boolean): string {
  if (operator === '+' || operator === '#' || isLong) return '(.+)';
  return operator === '.' ? '([^/.?#]+)' : '([^/?#]+)';
}

function listQueryNames(pieces: readonly string[]): string[] {
  return pieces
    .filter((piece, index) => index % 2 === 1 && /^[?&]/.test(piece))
    .flatMap((piece) =>
      piece
        .slice(1)
        .split(',')
        .map((part) => part.replace(/\*$|:\d+$/, '')),
    );
}

function readQuery(text: string | undefined, names: ReadonlySet<string>): Record<string, string> {
  return Object.fromEntries([...new URLSearchParams(text ?? '')].filter(([name]) => names.has(name)));
}

function refuse(template: string, problem: string): InvalidOptionsError {
  return new InvalidOptionsError(['uri'], `The uri template "${template}" ${problem}`);
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
