// "To raise the supported range", played: as if a newer CLI answered in the words of the newest one. What it really says takes that
// CLI: its recordings are those of the newest one under another name.
import { existsSync, readdirSync } from 'node:fs';
import { NEWEST, OLDEST } from '../protocol/recorded-versions.mjs';

const NEXT = NEWEST.replace(/\d+$/, (patch) => String(Number(patch) + 1));
const ANY = new RegExp(NEWEST.replaceAll('.', String.raw`\.`));
const RECORDINGS = 'test/fixtures/protocol';
const LOCKFILE = 'package-lock.json';
const EXAMPLE_LOCKFILES = readdirSync(new URL('../../../examples', import.meta.url))
  .map((name) => `examples/${name}/package-lock.json`)
  .filter((path) => existsSync(new URL(`../../../${path}`, import.meta.url)));
const ENGINES = '      "engines": {\n        "node": ">=22.0.0"\n      },\n';

const PLACES_TEST = 'test/package/newest-cli.test.ts';
const PAGE_TEST = 'test/protocol/protocol-page.test.ts';
const SHOWN_TEST = 'packages/core/test/calls/result/show-to-model.test.ts';
const STABILITY_TEST = 'test/package/stability-doc.test.ts';

/** A file that names the newest CLI in a place that a test knows; a text that stands once there, with the version in it. */
const name = (file, text) => ({
  name: `${file}: ${text.replaceAll('\n', ' ').trim()}`,
  edits: [{ file, instead: text.replaceAll('NEWEST', NEWEST), put: text.replaceAll('NEWEST', NEXT) }],
  red: [PLACES_TEST],
});

export const RANGE = {
  id: 'range',
  title: 'To raise the supported range',
  isApart: true,
  // As npm leaves it.
  given: [
    {
      file: LOCKFILE,
      after: `"node_modules/@anthropic-ai/claude-code": {\n      "version": "${NEWEST}",\n`,
      put: ENGINES,
    },
  ],
  steps: [
    {
      name: 'the lockfiles',
      edits: [LOCKFILE, ...EXAMPLE_LOCKFILES].map((file) => ({
        file,
        instead: `"@anthropic-ai/claude-code": "${NEWEST}"`,
        put: `"@anthropic-ai/claude-code": "${NEXT}"`,
      })),
      red: ['test/package/lockfiles.test.ts'],
    },
    {
      name: 'the newest version',
      edits: [
        {
          file: 'packages/core/src/options/supported-versions.ts',
          instead: `NEWEST_VERSION = '${NEWEST}'`,
          put: `NEWEST_VERSION = '${NEXT}'`,
        },
      ],
      red: [PLACES_TEST],
    },
    name('package.json', '"@anthropic-ai/claude-code": "NEWEST"'),
    {
      ...name(LOCKFILE, '"node_modules/@anthropic-ai/claude-code": {\n      "version": "NEWEST"'),
      name: 'the lockfile',
    },
    {
      name: 'no engines in the lockfile',
      edits: [{ file: LOCKFILE, instead: `,\n${ENGINES}`, put: ',\n' }],
      red: ['test/package/install.test.ts'],
    },
    {
      name: 'the recordings of the protocol',
      edits: [
        ...readdirSync(new URL(`../../../${RECORDINGS}`, import.meta.url))
          .filter((file) => file.endsWith(`@${NEWEST}.jsonl`))
          .map((file) => ({
            file: `${RECORDINGS}/${file}`,
            moveTo: `${RECORDINGS}/${file.replace(NEWEST, NEXT)}`,
            every: ANY,
            by: NEXT,
          })),
        { file: `${RECORDINGS}/launches.json`, every: ANY, by: NEXT },
      ],
      red: [PAGE_TEST],
    },
    {
      name: 'the page of the protocol',
      scripts: ['scripts/write-protocol-page.mjs'],
      writes: [
        'docs/protocol.md',
        'docs/protocol/session.md',
        'docs/protocol/host-requests.md',
        'docs/protocol/cli-requests.md',
        'docs/protocol/messages.md',
        'docs/protocol/gaps-and-schemas.md',
        'docs/protocol.svg',
        'schema/frames.schema.json',
      ],
      red: [PAGE_TEST],
    },
    {
      name: 'the recorded results of tools',
      edits: [
        {
          file: `test/fixtures/tool-results/${NEWEST}.json`,
          moveTo: `test/fixtures/tool-results/${NEXT}.json`,
          every: ANY,
          by: NEXT,
        },
      ],
      red: [SHOWN_TEST],
    },
    {
      name: 'the range on its page',
      edits: [
        {
          file: 'docs/cli-versions.md',
          instead: `| ${OLDEST} to ${NEWEST} | supported`,
          put: `| ${OLDEST} to ${NEXT} | supported`,
        },
      ],
      red: ['packages/core/test/options/cli-versions-doc.test.ts'],
    },
    name('docs/cli-versions.md', '\n| NEWEST, the newest |'),
    name('docs/cli-versions.md', `**${OLDEST}** and **NEWEST**`),
    {
      name: 'the page of stability',
      edits: [{ file: 'docs/stability.md', every: ANY, by: NEXT }],
      red: [STABILITY_TEST],
    },
    name('docs/faq/answers.md', `${OLDEST} to NEWEST`),
    name('README.md', `with CLI ${OLDEST} and NEWEST (`),
    name('README.md', '@anthropic-ai/claude-code@NEWEST'),
    name('packages/testing/src/fake-cli/fake-cli.ts', "const DEFAULT_VERSION = 'NEWEST'"),
    name('packages/testing/src/fake-cli/fake-cli.ts', 'Default NEWEST.'),
    name('packages/core/src/record/settings/table/settings-table.ts', 'what CLI NEWEST checks'),
    name('test/faults/real.mjs', "'NEWEST': {}"),
    name('test/faults/calls/real.mjs', "'NEWEST': {}"),
    name('test/faults/calls/table.mjs', `['NEWEST', '${OLDEST}']`),
    name('test/matrix/programs/session.mjs', "?? 'NEWEST'"),
  ],
};
