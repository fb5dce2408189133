// Everything that is measured: what runs (`host` is a file of host/scenarios), in which sizes, and the rows that are made of it.
// Sizes are [full, quick, smallest]; the smallest only show that the bench works. {names} in a row's text are those of sizes.
// Every row is a cost: less is better.

const ALL = ['official', 'inboard', 'limit-raw', 'limit-readline'];
const SDKS = ['official', 'inboard'];
const KB = 1024;
/** Of what takes minutes, and hardly differs from round to round. */
const LONG_ROUNDS = 3;

/** The names of the sizes, in the order in which the table has them. */
const SIZES = ['full', 'quick', 'smallest'];

function row(id, text, unit, read, more) {
  return { id, text, unit, isCompared: true, read, ...more };
}

const queries = ['package', 'unknown'].map((place) => ({
  id: `query-${place}`,
  host: 'whole-query',
  isPackage: place === 'package',
  sizes: { repeats: [10, 5, 1] },
  targets: ['official', 'inboard', 'limit-raw'],
  rows: [
    row(
      `felt-${place}`,
      `import and whole first query, as a person waits for them${describePlace(place)}`,
      'ms',
      ({ importMs, firstMs }) => importMs + firstMs,
    ),
    row(
      `query-first-${place}`,
      `whole query, first in process${describePlace(place)}`,
      'ms',
      ({ firstMs }) => firstMs,
    ),
    row(`query-later-${place}`, `whole query, later${describePlace(place)}`, 'ms', ({ laterMs }) => laterMs),
  ],
}));

const loading = [
  {
    host: 'import',
    targets: ['official', 'inboard', 'limit-raw'],
    rows: [row('import', 'import', 'ms', ({ ms }) => ms)],
  },
  ...['package', 'unknown'].map((place) => ({
    id: `first-call-${place}`,
    host: 'first-call',
    isQuickCli: true,
    isPackage: place === 'package',
    targets: ['official', 'inboard', 'limit-raw'],
    rows: [
      row(
        `first-byte-${place}`,
        `import and first byte of the first query${describePlace(place)}`,
        'ms',
        ({ firstByteMs }) => firstByteMs,
      ),
      row(
        `first-call-${place}`,
        `import to the first tool call's answer, zod${describePlace(place)}`,
        'ms',
        ({ firstCallMs }) => firstCallMs,
      ),
    ],
  })),
  ...['json', 'words'].map((schema) => ({
    id: `first-call-${schema}`,
    host: 'first-call',
    isQuickCli: true,
    isPackage: true,
    schema,
    targets: ['inboard', 'limit-raw'],
    rows: [
      row(
        `first-call-${schema}`,
        `import to the first tool call's answer, ${schema === 'json' ? 'JSON Schema' : 'shorthand types'}`,
        'ms',
        ({ firstCallMs }) => firstCallMs,
      ),
    ],
  })),
];

function describePlace(place) {
  return place === 'package' ? '' : ', CLI of unknown version';
}

const questions = [
  {
    id: 'calls',
    host: 'questions',
    kind: 'call',
    sizes: { warm: [1000, 500, 2], measured: [10_000, 2000, 20] },
    rows: [
      row('calls', 'CPU per 10,000 calls, after the first {warm}', 'ms', readCpu),
      row('round-trip', 'round trip of a tool call', 'µs', ({ roundTripUs }) => roundTripUs),
    ],
  },
  {
    id: 'calls-steady',
    host: 'questions',
    kind: 'call',
    sizes: { warm: [20_000, 4000, 2], measured: [20_000, 4000, 20] },
    rows: [row('calls-steady', 'CPU per 10,000 calls, steady', 'ms', readCpu)],
  },
  {
    id: 'window-steady',
    host: 'questions',
    kind: 'call',
    sizes: { warm: [20_000, 4000, 40], measured: [20_000, 4000, 80], inFlight: [32, 32, 32] },
    rows: [row('window-steady', 'CPU per 10,000 calls, 32 in flight, steady', 'ms', readCpu)],
  },
  {
    id: 'permissions-steady',
    host: 'questions',
    kind: 'permission',
    sizes: { warm: [20_000, 4000, 2], measured: [20_000, 4000, 20] },
    rows: [row('permissions-steady', 'CPU per 10,000 permissions, steady', 'ms', readCpu)],
  },
  {
    host: 'in-flight',
    targets: ['official', 'inboard', 'limit-raw'],
    sizes: { few: [1000, 200, 10], many: [10_000, 2000, 20], calls: [20_000, 4000, 40] },
    rows: [
      row('in-flight', 'CPU per call, {many} in flight', 'µs', ({ usPerCall }) => usPerCall),
      row('in-flight-growth', 'its growth with the number in flight (1 is linear)', '', readExponent, {
        isCompared: false,
      }),
    ],
  },
  {
    host: 'heap',
    nodeFlags: ['--expose-gc'],
    targets: ['official', 'inboard', 'limit-raw'],
    sizes: { warm: [20_000, 4000, 5], measured: [100_000, 8000, 20] },
    maxRounds: LONG_ROUNDS,
    // Around zero a multiple says nothing.
    rows: [
      row('heap', 'heap left by a call', 'bytes', ({ bytesPerCall }) => bytesPerCall, { isCompared: false }),
    ],
  },
];

// What is recorded of calls, so that those which are cut off get their results: the other SDKs have nothing like it.
const records = [
  {
    host: 'recorded-calls',
    targets: ['inboard'],
    sizes: { warm: [4000, 1000, 2], measured: [10_000, 2000, 20], repeats: [3, 2, 1] },
    rows: [
      row('recorded-calls', 'CPU per 10,000 calls of a conversation, each recorded', 'ms', readCpu),
      row('recorded-calls-cpu', 'its multiple of calls of a query, not recorded', '×', (figures) => {
        return figures.cpuRatio;
      }),
      row('recorded-calls-time', 'the same for the round trip', '×', ({ roundTripRatio }) => roundTripRatio),
    ],
  },
  {
    host: 'continued-call',
    isReal: true,
    targets: ['inboard'],
    sizes: { megabytes: [10, 10, 0.1], repeats: [3, 2, 1] },
    rows: [
      row(
        'continued-call',
        'going on after a call that was cut off, transcript of {megabytes} MB, real CLI',
        'ms',
        ({ ms }) => ms,
      ),
      row('continued-call-time', 'its multiple of resuming one that was not', '×', ({ ratio }) => ratio),
      row('continued-call-cpu', 'CPU of the host that it takes more', 'ms', ({ moreCpuMs }) => moreCpuMs),
    ],
  },
];

function readCpu({ cpuMsPer10k }) {
  return cpuMsPer10k;
}

function readExponent({ exponent }) {
  return exponent;
}

const volume = [
  {
    host: 'stream',
    sizes: { megabytes: [64, 32, 0.1], characters: [24, 24, 24] },
    rows: [
      row('stream-time', 'time per 100 MB of partial messages', 'ms', ({ msPer100Mb }) => msPer100Mb),
      row('stream-cpu', 'CPU per 100 MB of partial messages', 'ms', ({ cpuMsPer100Mb }) => cpuMsPer100Mb),
    ],
  },
  {
    host: 'big-calls',
    targets: ['official', 'inboard', 'limit-raw'],
    sizes: { kilobytes: [KB, KB, 1], repeats: [8, 2, 1] },
    rows: [
      row('big-call-small', 'call of {kilobytes} KB each way', 'ms', ({ smallMs }) => smallMs),
      row('big-call-large', 'call of 16 times that', 'ms', ({ largeMs }) => largeMs),
      row('big-call-growth', 'its growth with the length (1 is linear)', '', readExponent, {
        isCompared: false,
      }),
    ],
  },
  ...[200, 800].map((megabytes) => ({
    id: `slow-reader-${megabytes}`,
    host: 'slow-reader',
    targets: ['official', 'inboard', 'limit-raw'],
    maxRounds: LONG_ROUNDS,
    sizes: {
      megabytes: [megabytes, megabytes / 8, 0.2],
      characters: [2048, 2048, 2048],
      napMs: megabytes === 200 ? [5, 4, 1] : [1, 1, 1],
    },
    rows: [
      row(`slow-reader-${megabytes}`, 'peak memory, slow reader of {megabytes} MB', 'MB', (figures) => {
        return figures.peakRssMb;
      }),
    ],
  })),
];

const fleet = [
  {
    host: 'sessions',
    targets: ['official', 'inboard', 'limit-raw'],
    sizes: { sessions: [50, 10, 2], warm: [500, 100, 4], measured: [10_000, 2000, 20] },
    rows: [
      row('sessions-calls', 'CPU per 10,000 calls, {sessions} sessions', 'ms', readCpu),
      row('sessions-memory', 'memory of an open session, {sessions} sessions', 'MB', ({ mbEach }) => mbEach),
    ],
  },
  {
    host: 'many-tools',
    targets: SDKS,
    isPackage: true,
    sizes: { tools: [10_000, 1000, 10] },
    rows: [
      row('tools-create', 'creating a server of {tools} tools, zod', 'ms', ({ createMs }) => createMs),
      row('tools-call', 'the same, a query and one call', 'ms', ({ callMs }) => callMs),
    ],
  },
  {
    host: 'listing',
    targets: SDKS,
    sizes: { transcripts: [5000, 500, 5] },
    rows: [
      row('listing-first', 'listing {transcripts} past sessions', 'ms', ({ firstMs }) => firstMs),
      row('listing-second', 'listing them again', 'ms', ({ secondMs }) => secondMs),
    ],
  },
  {
    host: 'cluster-turn',
    targets: ['inboard'],
    isCluster: true,
    maxRounds: LONG_ROUNDS,
    rows: [
      row('cluster-turn', 'turn of a conversation in a cluster on PostgreSQL, warm', 'ms', ({ turnMs }) => {
        return turnMs;
      }),
      row('cluster-turn-plain', 'the same turn of a plain session', 'ms', ({ plainMs }) => plainMs),
      row('cluster-turn-statements', 'statements that PostgreSQL is sent in it', '', (figures) => {
        return figures.statements;
      }),
    ],
  },
];

// Resuming a long conversation on disk or in a store: from `query` or `openSession` to the model's next answer.
const resumes = [
  ['query', 'cold resume of a conversation of {megabytes} MB, real CLI', 'a cold resume'],
  ['session', 'the same with openSession', 'a cold resume with openSession'],
  ['store', 'the same with query, from a session store', 'a cold resume from a session store'],
].map(([way, text, short]) => ({
  id: way === 'query' ? 'cold-resume' : `cold-resume-${way}`,
  host: 'cold-resume',
  kind: way,
  isReal: true,
  // The official SDK has no conversations of many turns.
  targets: way === 'session' ? ['inboard', 'limit-raw'] : ['official', 'inboard', 'limit-raw'],
  sizes: { megabytes: [10, 10, 0.1] },
  rows: [
    row(`cold-resume-${way}`, text, 'ms', ({ ms }) => ms),
    row(`cold-resume-${way}-cpu`, `CPU of the host in ${short}`, 'ms', ({ cpuMs }) => cpuMs),
  ],
}));

const whole = [
  {
    host: 'real-turn',
    isReal: true,
    targets: ['official', 'inboard', 'limit-raw'],
    rows: [
      row('real-turn', 'turn on the real CLI, with a permission and a call', 'ms', ({ turnMs }) => turnMs),
      row('real-turn-cpu', 'CPU of the host in a turn on the real CLI', 'ms', ({ cpuMs }) => cpuMs),
    ],
  },
  {
    host: 'package',
    targets: SDKS,
    rows: [
      row('package-size', 'package, unpacked', 'MB', ({ megabytes }) => megabytes),
      row('package-types', 'type check of a program that uses it', 'ms', ({ typesMs }) => typesMs),
    ],
  },
];

/**
 * @typedef {object} Row
 * @property {string} id
 * @property {string} text
 * @property {string} unit
 * @property {boolean} isCompared False where a multiple says nothing.
 * @property {(figures: Record<string, number>) => number} read What the row shows of a measurement.
 */

/**
 * @typedef {object} Scenario
 * @property {string} id
 * @property {string} host
 * @property {string} [kind] What the CLI asks.
 * @property {string} [schema] What the tools' schemas are written in. Default zod.
 * @property {boolean} [isQuickCli]
 * @property {boolean} [isReal] Whether it needs the real CLI, with a scripted model.
 * @property {boolean} [isCluster] Whether it needs PostgreSQL.
 * @property {number} [maxRounds] Where fewer rounds do.
 * @property {boolean} [isPackage] Whether the CLI lies in an npm package, which tells its version.
 * @property {string[]} [nodeFlags]
 * @property {string[]} targets
 * @property {Record<string, number[]>} sizes
 * @property {Row[]} rows
 */

/**
 * The scenarios in the order of the table.
 * @type {Scenario[]}
 */
export const SCENARIOS = [
  ...queries,
  ...loading,
  ...questions,
  ...volume,
  ...fleet,
  ...records,
  ...resumes,
  ...whole,
].map((scenario) => ({ id: scenario.host, targets: ALL, sizes: {}, ...scenario }));

/**
 * The settings of a scenario in one size.
 * @param {Scenario} scenario
 * @param {string} size
 */
export function settingsOf({ host, kind, schema, sizes }, size) {
  const index = SIZES.indexOf(size);
  const chosen = Object.entries(sizes).map(([name, values]) => [name, values[index]]);
  return { scenario: host, kind, schema, ...Object.fromEntries(chosen) };
}

/** The text of a row in one size. */
export function describeRow({ text }, settings) {
  return text.replaceAll(/\{(\w+)\}/g, (_, name) => settings[name].toLocaleString('en'));
}
