// Which test files are worth a second try, alone. Thousands of tests share two processors with the processes they start: one
// that needed more time than it got says little of the change, one that fails twice does.

/** More failures than this have one cause, and it is no chance. */
const MOST_FILES = 5;

/** What a second try runs, or the reason why there is none. */
export function planSecondTry(report) {
  if (report === undefined) return { refused: 'the run told nothing of its tests' };
  const { failed, homeless } = report;
  if (homeless > 0) return { refused: `${homeless} errors belong to no test file` };
  if (failed.length === 0) return { refused: 'no test failed, and yet the run did' };
  const files = [...new Set(failed.map(({ file }) => file))];
  if (files.length > MOST_FILES) return { refused: `${files.length} files failed` };
  const projects = [...new Set(failed.map(({ project }) => project))];
  return {
    args: [...projects.flatMap((project) => ['--project', project]), '--maxWorkers=1', ...files],
  };
}

/** One line for each test that failed and then passed. */
export function listUnstable(first, second) {
  const failed = first.failed.flatMap(({ file, tests }) =>
    tests.length === 0 ? [file] : tests.map((test) => `${file} > ${test}`),
  );
  return [...failed, ...first.repeated, ...(second?.repeated ?? [])];
}
