// "To add a subcommand", played: one that prints a word, and has an option that a function behind it reads.

const FOLDER = 'packages/cli/src/lamp';
const TEST = 'packages/cli/test/command-line.test.ts';
const PAGE_TEST = 'test/docs/command-doc.test.ts';
const TABLE_TEST = 'test/package/documented-code.test.ts';
const README_TEST = 'test/package/packages.test.ts';
const FLAGS_TEST = 'packages/cli/test/name-flags.test.ts';

export const SUBCOMMAND = {
  id: 'subcommand',
  title: 'To add a subcommand',
  steps: [
    {
      name: 'how it is called',
      edits: [
        {
          file: `${FOLDER}/command.ts`,
          create: `// How \`inboard lamp\` is called.
import { CLI_OPTION, type Command } from '../command.js';
import { loadPart } from '@inboard/core/util/load-part.js';

/** The command \`lamp\`. */
export const LAMP_COMMAND: Command = {
  summary: 'light the lamp',
  usage: '<room>',
  args: { least: 1, most: 1 },
  options: { cli: CLI_OPTION },
  examples: ['inboard lamp kitchen'],
  load: async () => (await loadPart(() => import('./light-lamp.js'))).lightLamp,
};
`,
        },
      ],
      red: ['compiler'],
    },
    {
      name: 'what it does',
      edits: [
        {
          file: `${FOLDER}/light-lamp.ts`,
          create: `// Carries \`inboard lamp\` out.
import type { CommandInput } from '../command.js';
import { printLine } from '../terminal/terminal.js';

/** Says that the lamp is lit. */
export async function lightLamp({ args, terminal }: CommandInput): Promise<number> {
  printLine(terminal, \`Lit: \${args[0]}\`);
  return 0;
}
`,
        },
      ],
      red: ['compiler'],
    },
    {
      name: 'its folder in the README',
      edits: [
        {
          file: 'packages/cli/README.md',
          before: '| `migrate` |',
          put: '| `lamp` | lights the lamp |\n',
        },
      ],
      red: [README_TEST],
    },
    {
      name: 'its row',
      edits: [
        {
          file: 'packages/cli/src/commands.ts',
          before: "import { MIGRATE_COMMAND } from './migrate/command.js';\n",
          put: "import { LAMP_COMMAND } from './lamp/command.js';\n",
        },
        {
          file: 'packages/cli/src/commands.ts',
          before: '  migrate: MIGRATE_COMMAND,\n',
          put: '  lamp: LAMP_COMMAND,\n',
        },
      ],
      red: [PAGE_TEST],
    },
    {
      name: 'its option of a function',
      edits: [
        {
          file: FLAGS_TEST,
          after: "new Set(['run', ",
          put: "'lamp', ",
        },
      ],
      red: [FLAGS_TEST],
    },
    {
      name: 'its row in the table',
      edits: [
        {
          file: 'docs/command.md',
          before: '| [`migrate`](command/migrate.md) |',
          put: '| [`lamp`](command/data.md#lamp) | the lamp of a room, lit |\n',
        },
      ],
      red: [TABLE_TEST],
    },
    {
      name: 'its section',
      edits: [
        {
          file: 'docs/command/data.md',
          before: '## data\n',
          put: '## lamp\n\n```sh\nnpx inboard lamp kitchen\n```\n\nLights the lamp.\n\n',
        },
      ],
      red: [PAGE_TEST],
    },
    {
      name: 'a case',
      edits: [
        {
          file: TEST,
          before: "  it('tells its version', async",
          put: "  it('lights a lamp', async () => {\n    expect(await run(['lamp', 'kitchen'])).toMatchObject({ code: 0, stdout: 'Lit: kitchen\\n' });\n  });\n\n",
        },
      ],
      red: [TEST],
    },
  ],
};
