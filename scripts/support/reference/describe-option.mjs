// One row of the table of options: what it does, where it goes, since when, and how it compares with the official SDK.
import { OPTION_DIFFERENCES } from './comparison.mjs';
import { code } from './markdown.mjs';

const LONGEST_TYPE = 60;

/** Where options go that have no flag or field of their own and yet reach the CLI. */
const PLACES = {
  verbatimPrompts: 'a mark on each message',
  mcpServers: '`--mcp-config`; in-process ones in the handshake',
  hooks: 'handshake `hooks`, without the functions',
  cwd: 'folder of the process',
  env: 'environment',
  extendEnv: 'environment',
  pathToClaudeCodeExecutable: 'the program to start',
  executable: 'the program to start',
  executableArgs: 'before the path of the CLI',
};

/** The cells of a row. `row` is that of packages/core/src/options/rows, `flags` are the flags that variants of the option were seen to write. */
export function describeOption(name, { type, doc }, { row, flags, official }) {
  if (doc === undefined) throw new Error(`The option ${name} has no comment, and docs/options.md needs one`);
  return [
    code(name),
    `${code(shorten(type))} ${withoutTags(doc)}`,
    describeDestination(name, row, flags),
    describeVersions(name, row),
    describeOfficial(name, official),
  ];
}

function shorten(type) {
  const given = type.replace(/ \| undefined$/, '').replace(/^\((\(.*)\)$/, '$1');
  return given.length > LONGEST_TYPE ? `${given.slice(0, LONGEST_TYPE)}…` : given;
}

function withoutTags(doc) {
  return doc.replace(/@deprecated /, '**Deprecated.** ').replace(/@default (.*)$/, 'Default: `$1`.');
}

function describeDestination(name, row, flags) {
  if (PLACES[name]) return PLACES[name];
  const fields = [row.initialize ?? []].flat().map(({ field = name }) => code(field));
  const written = row.argv?.flag ? [row.argv.flag] : flags;
  if (row.argv && written.length === 0)
    throw new Error(`No variant in option-variants.json shows the flag of ${name}`);
  const places = [
    ...(row.argv ? written.map((flag) => code(flag)) : []),
    ...(fields.length > 0 ? [`handshake ${fields.join(', ')}`] : []),
    ...(row.env ? [`variable ${code(row.env.variable)}`] : []),
  ];
  return places.length > 0 ? places.join('; ') : 'stays here';
}

function describeVersions(name, { since, forms, entryForms }) {
  const later = Object.entries({ ...forms, ...entryForms })
    .filter(([feature]) => feature !== name)
    .map(([feature, form]) => `${nameForm(name, feature)} ${describeForm(form)}`);
  const whole = forms?.[name] ? describeForm(forms[name]) : (since ?? 'all');
  return [whole, ...later].join('; ');
}

function nameForm(name, feature) {
  if (!feature.startsWith(name)) return feature;
  const rest = feature.slice(name.length);
  const [, part, words = ''] = /^(\.[\w.]+)? ?(.*)$/.exec(rest) ?? [];
  return [part && code(part), words].filter(Boolean).join(' ');
}

function describeForm(form) {
  if (typeof form === 'string') return form;
  return `${form.since}${form.hasOlderForm ? ' (older form)' : ''}`;
}

function describeOfficial(name, official) {
  if (!official.options.includes(name)) return 'ours';
  return OPTION_DIFFERENCES[name] ?? 'same';
}
