// Reads from a query in PromQL which metrics it names, with the labels and values that it selects or groups by. It is no parser of the
// whole language: what it does not know it refuses, so that nothing slips through unread.

/** A metric that a query names. */
export interface NamedMetric {
  name: string;
  /** Each label that the selector has, with its operator and value. */
  matchers: Array<{ label: string; operator: string; value: string }>;
}

/** What a query names. */
export interface QueryNames {
  metrics: NamedMetric[];
  /** The labels after `by`, `without`, `on` and `ignoring`. */
  grouped: string[];
}

type Token = { kind: 'word' | 'string' | 'number' | 'sign'; text: string };

const TOKENS =
  /\s+|(?<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?<number>(?:\d+(?:\.\d+)?(?:[smhdwy](?:\d+[smhdwy])*)?))|(?<word>[a-zA-Z_:$][\w:$]*)|(?<sign>=~|!~|!=|==|>=|<=|[-+*/%^(){}[\],=<>:@])/y;

const GROUPING = new Set(['by', 'without', 'on', 'ignoring', 'group_left', 'group_right']);
const OPERATORS = new Set(['and', 'or', 'unless', 'bool', 'offset']);
const FUNCTIONS = new Set([
  'sum',
  'max',
  'min',
  'avg',
  'count',
  'rate',
  'increase',
  'histogram_quantile',
]).add('max_over_time');

/** Reads the names in a query. Throws for anything that it does not know. */
export function readQuery(query: string): QueryNames {
  const tokens = split(query);
  const found: QueryNames = { metrics: [], grouped: [] };
  let at = 0;
  const text = (offset = 0): string | undefined => tokens[at + offset]?.text;
  const skipTo = (sign: string): Token[] => {
    const begin = at;
    while (at < tokens.length && text() !== sign) at += 1;
    if (text() !== sign) throw new Error(`"${sign}" is missing in ${query}`);
    at += 1;
    return tokens.slice(begin, at - 1);
  };
  while (at < tokens.length) {
    const token = tokens[at] as Token;
    at += 1;
    if (token.text === '[') skipTo(']');
    if (token.text === '{') throw new Error(`A selector without a name in ${query}`);
    if (token.kind !== 'word' || OPERATORS.has(token.text)) continue;
    if (GROUPING.has(token.text)) {
      if (text() !== '(') throw new Error(`No list after "${token.text}" in ${query}`);
      at += 1;
      found.grouped.push(...skipTo(')').flatMap(({ kind, text: label }) => (kind === 'word' ? [label] : [])));
    } else if (text() === '(' || GROUPING.has(text() ?? '')) {
      if (!FUNCTIONS.has(token.text))
        throw new Error(`"${token.text}" is no function known here, in ${query}`);
    } else {
      let matchers: NamedMetric['matchers'] = [];
      if (text() === '{') {
        at += 1;
        matchers = readMatchers(skipTo('}'), query);
      }
      found.metrics.push({ name: token.text, matchers });
    }
  }
  return found;
}

function split(query: string): Token[] {
  const tokens: Token[] = [];
  TOKENS.lastIndex = 0;
  while (TOKENS.lastIndex < query.length) {
    const before = TOKENS.lastIndex;
    const groups = TOKENS.exec(query)?.groups;
    if (!groups) throw new Error(`What stands at ${before} is not known here: ${query.slice(before)}`);
    for (const kind of ['word', 'string', 'number', 'sign'] as const)
      if (groups[kind] !== undefined) tokens.push({ kind, text: groups[kind] });
  }
  return tokens;
}

function readMatchers(tokens: readonly Token[], query: string): NamedMetric['matchers'] {
  const matchers: NamedMetric['matchers'] = [];
  for (let at = 0; at < tokens.length; at += 4) {
    const [label, operator, value, comma] = tokens.slice(at, at + 4);
    const isWhole =
      label?.kind === 'word' && value?.kind === 'string' && (comma === undefined || comma.text === ',');
    if (!isWhole || !/^(?:=|!=|=~|!~)$/.test(operator?.text ?? ''))
      throw new Error(`A selector that is not known here, in ${query}`);
    matchers.push({ label: label.text, operator: operator?.text ?? '', value: value.text.slice(1, -1) });
  }
  return matchers;
}
