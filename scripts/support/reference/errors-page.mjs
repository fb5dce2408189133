// docs/errors.md and its parts, from the classes under packages/core/src/errors and the guides beside them and beside the warnings.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { slugify } from '../site/markdown.mjs';
import { code, listWords, table } from './markdown.mjs';
import { readDeclarations } from './read-declarations.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** The parts of the page: the file with the classes, and a heading. */
const THEMES = [
  ['option-errors', 'Before anything starts'],
  ['launch-errors', 'Starting the CLI'],
  ['load-errors', 'Parts that are loaded on first use'],
  ['session-errors', 'While a session runs'],
  ['control-errors', 'Control methods'],
  ['result-errors', 'How a turn ends'],
  ['answer-errors', 'Tools, hooks and permissions'],
  ['record-errors', 'Sessions, traces and tests'],
  ['serving-errors', 'Inspector, editors and health'],
  ['cluster-errors', 'Clusters and CLIs on other hosts'],
  ['base', 'Errors without a class of their own'],
];

/** How the page is cut. */
export const ERRORS_PARTS = [
  {
    name: 'starting',
    title: 'Errors before a session runs',
    intro: 'The options are wrong, the CLI cannot be started, or an optional package is missing.',
    sections: ['Before anything starts', 'Starting the CLI', 'Parts that are loaded on first use'],
    says: 'wrong options, a CLI that does not start, packages that are missing',
  },
  {
    name: 'running',
    title: 'Errors of a session that runs',
    intro: 'The CLI died, a control method failed, or a turn did not succeed.',
    sections: ['While a session runs', 'Control methods', 'How a turn ends'],
    says: 'a CLI that died, control methods, turns without success',
  },
  {
    name: 'tools',
    sections: ['Tools, hooks and permissions'],
    intro: 'Your functions are called from within a session, and these are their errors.',
    says: 'errors of the functions that a session calls',
  },
  {
    name: 'records',
    sections: ['Sessions, traces and tests'],
    intro: 'These concern what is stored, recorded or played back.',
    says: 'what is stored, recorded or played back',
  },
  {
    name: 'serving',
    title: 'Errors of servers and clusters',
    intro: 'The inspector, editors, health checks, clusters and remote CLIs have errors of their own.',
    sections: ['Inspector, editors and health', 'Clusters and CLIs on other hosts'],
    says: 'the inspector, editors, health, clusters, remote CLIs',
  },
  {
    name: 'others',
    sections: ['Errors without a class of their own'],
    intro: 'These are plain `InboardError`s.',
    says: 'plain `InboardError`s',
  },
  {
    name: 'warnings',
    sections: ['Warnings'],
    says: 'what `onWarning` gets, and process warnings',
  },
];

/** Entry points besides the main one from which a class is imported. */
const ENTRY_POINTS = {
  ScriptMismatchError: 'inboard/testing',
  InspectorError: 'inboard/inspector',
  AcpError: 'inboard/acp',
  LeaseLostError: 'inboard/cluster',
  ClusterError: 'inboard/cluster',
  RemoteError: 'inboard/remote',
  HealthError: 'inboard/cluster',
  TemporalError: 'inboard/temporal',
};

/** Fields that every error may have, told of once. */
const COMMON = new Set([
  'name',
  'code',
  'errorClass',
  'phase',
  'retryable',
  'exitCode',
  'signal',
  'stderrTail',
]);

/** The page as a whole, before it is cut; `guides` are those of error-guide.ts and warning-guide.ts. */
export function buildErrorsPage({ ERROR_GUIDE, OPTION_WARNINGS, SESSION_WARNINGS, PROCESS_WARNINGS }) {
  const opening = readFileSync(join(root, 'scripts/support/reference/errors-opening.md'), 'utf8').trim();
  const themes = THEMES.map(([file, title]) => describeTheme(file, title, ERROR_GUIDE));
  const shown = themes.flatMap(({ names }) => names);
  const left = Object.keys(ERROR_GUIDE).filter((name) => !shown.includes(name));
  if (left.length > 0) throw new Error(`No part of docs/errors.md has ${left.join(', ')}: see THEMES`);
  const count = String(countCodes(ERROR_GUIDE));
  return `${opening.replace('<!-- count -->', count).replace('<!-- entry points -->', describeEntryPoints())}

${themes.map(({ text }) => text).join('\n\n')}

## All codes

| code | class |
|---|---|
${[...themes.flatMap(({ index }) => index), ...listWarnings({ OPTION_WARNINGS, SESSION_WARNINGS, PROCESS_WARNINGS })].join('\n')}

## Warnings

A warning never ends a session. It goes to the option \`onWarning\`, with \`code\`, \`message\`, and where they apply \`options\` (names of options) and \`error\`.
Without \`onWarning\` it is a process warning (\`process.emitWarning\`), once for each text.

### About options

${warningTable(OPTION_WARNINGS)}

### About hooks, servers and tools

${warningTable(SESSION_WARNINGS)}

### Errors that are only reported

An error that does not end the session is a warning, too: \`code\` is its own code, and \`error\` is the error. In the tables above these say "A warning".

### Process warnings

These are process warnings even with \`onWarning\`, because they belong to no session.

${warningTable(PROCESS_WARNINGS)}
`;
}

function countCodes(guide) {
  return Object.values(guide).flatMap((codes) => Object.keys(codes)).length;
}

function describeTheme(file, title, guide) {
  const classes = [...readDeclarations(`packages/core/src/errors/${file}.ts`)].filter(
    ([, { kind }]) => kind === 'class',
  );
  const names = classes.map(([name]) => name);
  const rows = names.flatMap((name) =>
    Object.entries(adviceOf(name, guide)).map(([key, { when, advice, retryable }]) => [
      code(key),
      code(name),
      when,
      advice,
      describeRetry(retryable),
    ]),
  );
  const fields = classes.flatMap(([name, { members }]) => describeFields(name, members));
  const text = [
    `## ${title}`,
    table(['code', 'class', 'when', 'what to do', '`retryable`'], rows),
    ...(fields.length > 0 ? [table(['class', 'field', 'what it says'], fields)] : []),
  ].join('\n\n');
  const index = rows.map(([key, name]) => `| [${key}](#${slugify(title)}) | ${name} |`);
  return { names, text, index };
}

function listWarnings({ OPTION_WARNINGS, SESSION_WARNINGS, PROCESS_WARNINGS }) {
  return [
    [OPTION_WARNINGS, 'about-options'],
    [SESSION_WARNINGS, 'about-hooks-servers-and-tools'],
    [PROCESS_WARNINGS, 'process-warnings'],
  ].flatMap(([guide, anchor]) =>
    Object.keys(guide).map((key) => `| [${code(key)}](#${anchor}) | a warning |`),
  );
}

function adviceOf(name, guide) {
  if (!guide[name]) throw new Error(`error-guide.ts has no row for ${name}`);
  return guide[name];
}

function describeRetry(retryable) {
  if (retryable === undefined) return 'no';
  return retryable === true ? 'yes' : `if ${retryable}`;
}

function describeFields(name, members) {
  const own = [...members].filter(([field, { kind }]) => kind === 'property' && !COMMON.has(field));
  return own.map(([field, { doc }]) => {
    if (doc === undefined) throw new Error(`${name}.${field} has no comment, and docs/errors.md needs one`);
    return [code(name), code(field), doc];
  });
}

function warningTable(guide) {
  const rows = Object.entries(guide).map(([key, { when, advice }]) => [code(key), when, advice]);
  return table(['code', 'when', 'what to do'], rows);
}

/** The entry points that a class is imported from, in a sentence. */
function describeEntryPoints() {
  return listWords(
    Object.entries(ENTRY_POINTS).map(([name, entryPoint]) => `${code(name)} from ${code(entryPoint)}`),
  );
}
