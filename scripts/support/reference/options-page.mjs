// docs/options.md and its parts, from the option rows, the control table, the public interfaces and the entry points.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { GUIDES, METHOD_DIFFERENCES, VALUE_DIFFERENCES } from './comparison.mjs';
import { describeOption } from './describe-option.mjs';
import { code, listWords, table } from './markdown.mjs';
import { readDeclarations } from './read-declarations.mjs';
import { readValues } from './read-entry-points.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const read = (path) => readFileSync(join(root, path), 'utf8');
const CONTROLS_SOURCE = 'packages/core/src/live/controls/controls.ts';

/** Objects with methods, besides the query: the file, the interface, what to say of it, and the official names it has. */
const OBJECTS = [
  [
    'packages/core/src/verbs/conversation/open-session.ts',
    'Session',
    '`openSession()` returns this object: one conversation over many turns. It also has every control method of a query, above.',
  ],
  [
    'packages/core/src/verbs/conversation/turns/turn.ts',
    'Turn',
    '`send()` of a session returns this object: one message and its answer. Iterate it to receive messages.',
  ],
  [
    'packages/core/src/verbs/fleet/warm-pool.ts',
    'WarmPool',
    '`createWarmPool()` returns this object: CLIs that wait for prompts.',
  ],
  [
    'packages/core/src/verbs/fleet/session-group.ts',
    'SessionGroup',
    '`createSessionGroup()` returns this object: many sessions under common limits.',
  ],
  [
    'packages/core/src/verbs/fleet/startup.ts',
    'WarmQuery',
    '`startup()` resolves with this object: one CLI that waits for its prompt.',
    'warmQueryMethods',
  ],
  [
    'packages/core/src/verbs/fleet/prewarm.ts',
    'SpareProcess',
    '`prewarm()` resolves with this object: one CLI that waits for its folder and its prompt.',
    'spareProcessMethods',
  ],
];

const ENTRY_POINTS = [
  ['index', 'inboard'],
  ['testing', 'inboard/testing'],
  ['trace', 'inboard/trace'],
  ['inspector', 'inboard/inspector'],
  ['ui', 'inboard/ui'],
  ['otel', 'inboard/otel'],
  ['acp', 'inboard/acp'],
];

/** How the page is cut. */
export const OPTIONS_PARTS = [
  {
    name: 'prompts-and-tools',
    title: 'Options for prompts, tools and hooks',
    intro: 'What the session is about, what the model may do, and who is asked.',
    sections: ['Prompt and model', 'Tools and permissions', 'MCP', 'Hooks'],
    says: 'what the session is about, what the model may do, and who is asked',
  },
  {
    name: 'sessions-and-process',
    title: 'Options for sessions, the process and output',
    intro: 'How the CLI is started, what it loads and keeps, and what it reports.',
    sections: ['Sessions', 'The process', 'Output', 'Settings, plugins, skills'],
    says: 'how the CLI is started, what it loads and keeps, and what it reports',
  },
  {
    name: 'own',
    title: 'Options of this package only',
    sections: ['Of this package only'],
    intro: 'Inboard adds these to the options of the official SDK.',
    says: 'what Inboard adds to the options of the official SDK',
  },
  {
    name: 'query',
    sections: ['Methods of a query'],
    says: 'the object that `query()` returns, and the control methods',
  },
  {
    name: 'objects',
    title: 'Methods of sessions, pools and groups',
    intro: 'Each of these functions of the package returns an object with methods.',
    sections: OBJECTS.map(([, name]) => `Methods of a \`${name}\``),
    says: 'the objects that the other functions return',
  },
  {
    name: 'functions',
    sections: ['Functions of `inboard`'],
    says: 'every function of the main entry point',
  },
  {
    name: 'entry-points',
    title: 'Functions of the other entry points',
    intro: 'What is imported from `inboard/testing`, `inboard/trace` and their like.',
    sections: ENTRY_POINTS.slice(1).map(([, entryPoint]) => `\`${entryPoint}\``),
    says: 'tests, traces, the inspector, front ends, telemetry, editors',
  },
  {
    name: 'missing',
    sections: ['What the official SDK has and this one does not'],
    intro: 'Compared by `node scripts/compare-official.mjs`.',
    says: 'compared with the official package',
  },
];

/** The page as a whole, before it is cut; `tables` are OPTION_ROWS, CONTROLS, UNLISTED_CONTROLS and OLDEST of the sources. */
export function buildOptionsPage(tables) {
  const official = JSON.parse(read('test/fixtures/official-surface.json'));
  const opening = read('scripts/support/reference/options-opening.md').trim();
  const parts = [
    opening.replace('<!-- version -->', official.version).replace('<!-- oldest -->', tables.OLDEST),
    ...optionParts(tables, official),
    ...queryParts(tables, official),
    ...OBJECTS.map((each) => objectPart(each, official)),
    ...ENTRY_POINTS.map((entryPoint) => entryPointPart(entryPoint, official)),
    missingPart(tables, official),
  ];
  return `${parts.join('\n\n')}\n`;
}

function optionParts({ OPTION_ROWS }, official) {
  const { members } = readDeclarations('packages/core/src/options/options.ts').get('Options');
  const flags = readFlags();
  const groups = Map.groupBy ? Map.groupBy(members, ([, { group }]) => group) : groupMembers(members);
  const unknown = Object.keys(OPTION_ROWS).filter((name) => !members.has(name));
  if (unknown.length > 0) throw new Error(`Options has no ${unknown.join(', ')}`);
  return [...groups].map(([group, options]) => {
    if (GUIDES[group] === undefined) throw new Error(`comparison.mjs names no guide for "${group}"`);
    const rows = options.map(([name, member]) =>
      describeOption(name, member, { row: OPTION_ROWS[name], flags: flags.get(name) ?? [], official }),
    );
    return `## ${group}\n\n${GUIDES[group]}\n\n${table(['option', 'what it does', 'sent as', 'CLI', 'official SDK'], rows)}`;
  });
}

function groupMembers(members) {
  const groups = new Map();
  for (const member of members) {
    const { group } = member[1];
    groups.set(group, [...(groups.get(group) ?? []), member]);
  }
  return groups;
}

/** By option, the flags that its variants were seen to write, without its values. */
function readFlags() {
  const { baseline, variants } = JSON.parse(read('test/fixtures/option-variants.json'));
  const found = new Map();
  for (const { options, argv = [] } of variants) {
    const names = Object.keys(options);
    const words = argv.filter((word) => word.startsWith('--') && !baseline.argv.includes(word));
    if (names.length !== 1 || words.length === 0) continue;
    const [name] = names;
    const flags = name === 'extraArgs' ? ['--<name>'] : words.map((word) => word.split('=')[0]);
    found.set(name, [...new Set([...(found.get(name) ?? []), ...flags])]);
  }
  return found;
}

function queryParts({ CONTROLS, UNLISTED_CONTROLS, OLDEST }, official) {
  const controls = readDeclarations(CONTROLS_SOURCE);
  const own = readDeclarations('packages/core/src/verbs/query/query.ts').get('Query').members;
  const describe = (rows) => (methods) =>
    [...methods].map(([name, member]) => {
      const row = rows?.[name];
      return [
        code(signature(name, member)),
        requireDoc(name, member),
        row?.subtype ? `[${code(row.subtype)}](protocol/host-requests.md#${row.subtype})` : '',
        describeSince(row, OLDEST),
        describeMethod(name, official),
      ];
    });
  const head = ['method', 'what it does', 'request', 'CLI', 'official SDK'];
  return [
    `## Methods of a query

\`query()\` returns this object; iterate it to receive messages. The first table lists members that send no request to the CLI. The second lists the
[control methods](controls.md), which also take \`{ timeoutMs, signal }\` as their last argument.

${table(
  head.filter((name) => !['request', 'CLI'].includes(name)),
  describe()(own).map(([name, doc, , , how]) => [name, doc, how]),
)}

### Control methods

Sessions also have these methods. On a CLI that is too old, a method rejects with a [\`ControlRequestError\`](errors/running.md#control-methods), whose \`versionNeeded\` is the version in the CLI column.

${table(head, describe(CONTROLS)(controls.get('Controls').members))}

### Undocumented methods

The official object has these at run time, but its types leave them out. Inboard passes requests and answers on unchanged. Any CLI release may change or drop them.

${table(head, describe(UNLISTED_CONTROLS)(controls.get('UnlistedControls').members))}`,
  ];
}

function describeSince(row, oldest) {
  if (!row?.subtype) return row ? 'all' : '';
  if (row.since === undefined) return 'not known';
  return row.since === oldest ? 'all' : row.since;
}

function signature(name, { kind, parameters = [] }) {
  if (kind !== 'method') return name;
  const names = parameters.map((text) => text.replace(/[?:].*$/, '')).filter((each) => each !== 'options');
  return `${name}(${names.join(', ')})`;
}

function describeMethod(name, official) {
  if (METHOD_DIFFERENCES[name]) return METHOD_DIFFERENCES[name];
  if (official.queryMethods.includes(name)) return 'same';
  return official.queryMethodsWithoutType.includes(name) ? 'same, without a type' : 'ours';
}

function requireDoc(name, { doc }) {
  if (!doc) throw new Error(`${name} has no comment, and docs/options.md needs one`);
  return doc.replace(/@deprecated /, '**Deprecated.** ');
}

function objectPart([path, name, sentence, names], official) {
  const { members } = readDeclarations(path).get(name);
  const known = official[names] ?? [];
  const rows = [...members].map(([member, facts]) => [
    code(signature(member, facts)),
    requireDoc(`${name}.${member}`, facts),
    known.includes(member) ? 'same' : 'ours',
  ]);
  return `## Methods of a ${code(name)}\n\n${sentence}\n\n${table(['member', 'what it does', 'official SDK'], rows)}`;
}

function entryPointPart([file, entryPoint], official) {
  const values = [...readValues(`packages/inboard/src/${file}.ts`)].filter(
    ([name]) => !name.endsWith('Error'),
  );
  const rows = values
    .toSorted(([one], [other]) => (one.toLowerCase() < other.toLowerCase() ? -1 : 1))
    .map(([name, { kind, doc }]) => {
      if (!doc) throw new Error(`${name} of ${entryPoint} has no comment, and docs/options.md needs one`);
      const isCall = kind === 'function' || /^[a-z]/.test(name);
      return [
        code(isCall ? `${name}()` : name),
        doc.replace(/@experimental /, '**Experimental.** '),
        ...(file === 'index' ? [describeValue(name, official)] : []),
      ];
    });
  const head = ['name', 'what it does', ...(file === 'index' ? ['official SDK'] : [])];
  const note =
    file === 'index'
      ? 'Errors have [their own page](errors.md). All names, with the types, are in [the table of public names](surface.md). `inboard/core` is what a ' +
        'program imports from the official `/core`: it has names of the official SDK only, without those that read past sessions or are ' +
        'stores, and all of them are in `inboard`, too.'
      : 'The official SDK has nothing like it.';
  const title = file === 'index' ? `Functions of ${code(entryPoint)}` : code(entryPoint);
  return `## ${title}\n\n${note}\n\n${table(head, rows)}`;
}

function describeValue(name, official) {
  if (VALUE_DIFFERENCES[name]) return VALUE_DIFFERENCES[name];
  return official.values.includes(name) ? 'same' : 'ours';
}

function missingPart({ OPTION_ROWS, CONTROLS, UNLISTED_CONTROLS }, official) {
  const ours = new Set([
    ...Object.keys({ ...CONTROLS, ...UNLISTED_CONTROLS }),
    ...readDeclarations('packages/core/src/verbs/query/query.ts').get('Query').members.keys(),
  ]);
  const values = new Set(readValues('packages/inboard/src/index.ts').keys());
  const lacking = (names, has) => names.filter((name) => !has(name));
  const options = lacking(official.options, (name) => name in OPTION_ROWS);
  const methods = lacking(official.queryMethods, (name) => ours.has(name));
  const untyped = lacking(official.queryMethodsWithoutType, (name) => ours.has(name));
  const exported = lacking(official.values, (name) => values.has(name));
  const list = (names) => (names.length === 0 ? 'none' : listWords(names.map(code)));
  const rows = [
    ['options', list(options), ''],
    ['methods with a type', list(methods), ''],
    [
      'methods without a type',
      list(untyped),
      "For its vendor's own programs. What the CLI understands can be sent with `request(subtype, fields)`.",
    ],
    ['exports', list(exported), ''],
    ['exports without a type', list(official.valuesWithoutType), "For its vendor's own services."],
    [
      'entry points',
      list(official.entryPoints),
      "For its vendor's own services, and for programs that embed the CLI's binary.",
    ],
    [
      'type `Transport`',
      'differs',
      'No option of the official SDK takes one; ours is the option `transport`.',
    ],
  ];
  return `## What the official SDK has and this one does not\n\n${table(['what', 'missing here', 'why'], rows)}`;
}
