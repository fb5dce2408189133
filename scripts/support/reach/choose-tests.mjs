// Divides the tests that a change reaches: those that are run at once, and those of other suites, each with the command that runs it.

/** The suites that `npm run test:changed` does not run: each has a project and a command of its own, and most need minutes. */
const OTHER_SUITES = [
  { files: /^test\/e2e\/.*\.long\.test\.ts$/, name: 'long', all: 'npm run test:long' },
  { files: /^test\/e2e\//, name: 'e2e', all: 'npm run test:e2e' },
  { files: /^test\/docs\//, name: 'docs', all: 'npm run test:docs' },
  { files: /^test\/browser\//, name: 'browser', all: 'npm run test:browser' },
  { files: /^test\/services\//, name: 'services', all: 'npm run test:services' },
  // These install or build something first.
  { files: /^test\/examples\//, all: 'node scripts/run-examples.mjs' },
  { files: /^test\/front-ends\//, all: 'node scripts/run-front-ends.mjs' },
  { files: /^test\/site\/built\//, all: 'node scripts/build-site.mjs' },
];
/** Of so many files a command names each. */
const FEW = 3;

/** The list of tests that build the package, from the text of vitest.config.ts. */
export function readBuiltTests(config) {
  const list = /^const BUILT = \[(.*?)\];$/ms.exec(config)?.[1];
  if (list === undefined)
    throw new Error('vitest.config.ts has no list "BUILT" of the tests that build the package');
  return Array.from(list.matchAll(/'([^']+)'/g), ([, path]) => path);
}

/**
 * Of the tests that are reached: `tests` are run, those in `built` only with `isBuiltRun`; `hints` are sentences about the others, each with the
 * command that runs them.
 */
export function chooseTests({ reached, built, isBuiltRun = false }) {
  const suiteOf = (path) => OTHER_SUITES.find(({ files }) => files.test(path));
  const isRun = (path) => suiteOf(path) === undefined && (isBuiltRun || !built.includes(path));
  const leftOut = [
    {
      paths: isBuiltRun ? [] : reached.filter((path) => built.includes(path)),
      name: 'built',
      all: 'npm run test:built',
    },
    ...OTHER_SUITES.map((suite) => ({ ...suite, paths: reached.filter((path) => suiteOf(path) === suite) })),
  ];
  return {
    tests: reached.filter(isRun).toSorted(),
    hints: leftOut.filter(({ paths }) => paths.length > 0).map(describeSuite),
  };
}

function describeSuite({ paths, name, all }) {
  const isNamed = name !== undefined && paths.length <= FEW;
  const command = isNamed ? `npx vitest run --project ${name} ${paths.toSorted().join(' ')}` : all;
  return `Reached too, but not run here, ${paths.length} of another suite: ${command}`;
}
