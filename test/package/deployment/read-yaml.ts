// Reads the part of YAML that the manifests of the template use: block mappings and lists, scalars on one line, lists in brackets, and
// literal blocks. Everything else is an error. `scripts/check-manifests.mjs` reads the same files with a whole reader of YAML.

export type Yaml = string | number | boolean | null | Yaml[] | { [name: string]: Yaml };

interface Line {
  indent: number;
  text: string;
}

/** The documents of a file. */
export function readYaml(text: string): Yaml[] {
  return text
    .split(/^---$/m)
    .map((part) => readDocument(part))
    .filter((document) => document !== null);
}

function readDocument(text: string): Yaml {
  const lines = text
    .split('\n')
    .filter((line) => !/^\s*(?:#.*)?$/.test(line))
    .map((line) => ({ indent: line.search(/\S/), text: line.trim() }));
  if (lines.length === 0) return null;
  const value = readBlock(lines, lines[0]?.indent ?? 0);
  if (lines.length > 0) throw new Error(`Not read: ${lines[0]?.text}`);
  return value;
}

/** Takes the lines of one block off the list. */
function readBlock(lines: Line[], indent: number): Yaml {
  return lines[0]?.text.startsWith('- ') ? readList(lines, indent) : readMapping(lines, indent);
}

function readList(lines: Line[], indent: number): Yaml[] {
  const list: Yaml[] = [];
  while (lines[0]?.indent === indent && lines[0].text.startsWith('- ')) {
    const rest = lines[0].text.slice(2);
    if (!isPair(rest)) {
      lines.shift();
      list.push(readScalar(rest));
      continue;
    }
    lines[0] = { indent: indent + 2, text: rest };
    list.push(readMapping(lines, indent + 2));
  }
  return list;
}

function readMapping(lines: Line[], indent: number): Record<string, Yaml> {
  const mapping: Record<string, Yaml> = {};
  for (let line = lines[0]; line?.indent === indent && isPair(line.text); line = lines[0]) {
    lines.shift();
    const [, name = '', rest = ''] = /^([\w./$-]+):(?: (.*))?$/.exec(line.text) ?? [];
    if (name in mapping) throw new Error(`Twice: ${name}`);
    if (rest.startsWith('|')) mapping[name] = readLiteral(lines, indent);
    else if (rest !== '') mapping[name] = readScalar(rest);
    else mapping[name] = (lines[0]?.indent ?? 0) > indent ? readBlock(lines, lines[0]?.indent ?? 0) : null;
  }
  return mapping;
}

// Empty lines and comments of a literal are gone by now: the manifests have none.
function readLiteral(lines: Line[], indent: number): string {
  const taken: Line[] = [];
  while (lines[0] && lines[0].indent > indent) taken.push(lines.shift() as Line);
  const first = taken[0]?.indent ?? 0;
  return taken.map((line) => ' '.repeat(line.indent - first) + line.text).join('\n');
}

function isPair(text: string): boolean {
  return /^[\w./$-]+:(?: |$)/.test(text);
}

function readScalar(text: string): Yaml {
  if (text.startsWith('[')) {
    if (!text.endsWith(']')) throw new Error(`A list over several lines: ${text}`);
    return text.slice(1, -1).trim() === ''
      ? []
      : text
          .slice(1, -1)
          .split(',')
          .map((item) => readScalar(item.trim()));
  }
  if (text.startsWith('"')) return JSON.parse(text) as string;
  if (/^'[^']*'$/.test(text)) return text.slice(1, -1);
  if (/^[&*{!>|'%@`]/.test(text) || text.includes(' #')) throw new Error(`Not in this part of YAML: ${text}`);
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?\d+$/.test(text) ? Number(text) : text;
}
