// What the command can be asked for.
import { parseArgs } from 'node:util';
import { SCENARIOS } from './plan/scenarios.mjs';

export const USAGE = `npm run bench -- [options]

  --quick          smaller sizes and two rounds, under two minutes; the figures are rough
  --smallest       sizes that mean nothing and one round: does the bench work?
  --rounds <n>     default 5
  --only <a,b>     only these scenarios: ${SCENARIOS.map(({ id }) => id).join(', ')}
  --targets <a,b>  only these of official, inboard, limit
  --json <file>    write the results
  --svg <file>     write the chart
  --write-docs     write bench/results.json, docs/performance.svg and the figures in docs/performance.md
  --from <file>    measure nothing: take the results of an earlier run
`;

const TARGETS = ['official', 'inboard', 'limit'];
const ROUNDS = { full: 5, quick: 2, smallest: 1 };

/** The options of a run; throws an `Error` that says what is wrong. */
export function readCommandLine(args) {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: 'boolean', default: false },
      smallest: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      only: { type: 'string' },
      targets: { type: 'string' },
      json: { type: 'string' },
      svg: { type: 'string' },
      'write-docs': { type: 'boolean', default: false },
      from: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const size = values.smallest ? 'smallest' : values.quick ? 'quick' : 'full';
  const rounds = Number(values.rounds ?? ROUNDS[size]);
  if (!Number.isInteger(rounds) || rounds < 1)
    throw new Error(`--rounds takes a whole number from 1, not "${values.rounds}".`);
  const ids = SCENARIOS.map(({ id }) => id);
  const only = readList('--only', values.only, ids);
  return {
    size,
    rounds,
    scenarios: SCENARIOS.filter(({ id }) => only.includes(id)),
    targets: readList('--targets', values.targets, TARGETS),
    json: values.json,
    svg: values.svg,
    writesDocs: values['write-docs'],
    from: values.from,
    isHelp: values.help,
    command: describeCommand(values),
  };
}

/** The command that measures the same; where results are written makes no difference. */
function describeCommand({ quick, smallest, rounds, only, targets }) {
  const options = [
    ...(smallest ? ['--smallest'] : quick ? ['--quick'] : []),
    ...Object.entries({ rounds, only, targets }).flatMap(([name, value]) =>
      value === undefined ? [] : [`--${name} ${value}`],
    ),
  ];
  return ['npm run bench', ...(options.length > 0 ? ['--', ...options] : [])].join(' ');
}

function readList(option, text, known) {
  if (text === undefined) return known;
  const names = text.split(',');
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new Error(`${option}: there is no "${unknown}", only ${known.join(', ')}.`);
  return names;
}
