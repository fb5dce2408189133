// "To release", played as far as it can be taken back: the change log, the version, and the page that names it.

const VERSION = '77.0.0';
const FAULTS_TEST = 'test/package/release-faults.test.ts';
const PAGE_TEST = 'test/package/stability-doc.test.ts';

export const RELEASE = {
  id: 'release',
  title: 'To release',
  isApart: true,
  steps: [
    {
      name: 'the section of the version',
      edits: [{ file: 'CHANGELOG.md', instead: '\n## Unreleased\n', put: `\n## ${VERSION}\n` }],
      red: [FAULTS_TEST],
    },
    {
      name: 'an empty section for what comes next',
      edits: [
        {
          file: 'CHANGELOG.md',
          after: 'explains what a version number promises.\n',
          put: '\n## Unreleased\n\n<!-- One entry for each change that a user can notice. -->\n',
        },
      ],
      red: [FAULTS_TEST],
    },
    {
      name: 'the version',
      edits: [{ file: 'package.json', every: /(?<="name": "inboard",\n\s+"version": ")[^"]+/, by: VERSION }],
      red: [FAULTS_TEST, PAGE_TEST],
    },
    {
      name: 'the version in the lockfile',
      edits: [
        { file: 'package-lock.json', every: /(?<="name": "inboard",\n\s+"version": ")[^"]+/, by: VERSION },
      ],
      red: [FAULTS_TEST],
    },
    {
      name: 'the version on the page',
      edits: [{ file: 'docs/stability.md', every: /(?<=^Version )\d+\.\d+\.\d+(?= is)/m, by: VERSION }],
      red: [PAGE_TEST],
    },
  ],
};
