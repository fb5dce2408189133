// How much of the package's code runs, counted by V8 itself: each call of a function and each turn of a block is a step.
// The same work takes the same number of steps on any machine, however busy.
import { connect, post } from './inspect.mjs';

/** Begins to count; call it before the package is loaded. */
export function startCounting() {
  connect();
  post('Profiler.enable');
  post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
}

/** Steps since the start or since the last call of this function, in all and of each function that ran. */
export function takeSteps() {
  const functions = [];
  for (const script of post('Profiler.takePreciseCoverage').result) {
    if (!isOurs(script.url)) continue;
    for (const { functionName, ranges } of script.functions) {
      const steps = ranges.reduce((sum, { count }) => sum + count, 0);
      if (steps > 0) functions.push({ name: functionName || '(anonymous)', steps, calls: ranges[0].count });
    }
  }
  return { steps: functions.reduce((sum, { steps }) => sum + steps, 0), functions };
}

/**
 * The bytes of the package's own files that are loaded, and of functions in them that were never called, in all and by file.
 * Call it once, at the end.
 */
export function countUnrun() {
  const own = post('Profiler.takePreciseCoverage').result.filter(({ url }) => isOurs(url));
  return own.map(({ url, functions }) => {
    const ranges = functions
      .map(({ ranges: [whole] }) => whole)
      .toSorted((one, other) => one.startOffset - other.startOffset || other.endOffset - one.endOffset);
    let unrun = 0;
    let end = 0;
    for (const { startOffset, endOffset, count } of ranges) {
      // What is inside a function that was never called is counted with it.
      if (count > 0 || endOffset <= end) continue;
      unrun += endOffset - startOffset;
      end = endOffset;
    }
    return { url, unrun };
  });
}

/** The files of the package, and of what it depends on, that were loaded since the start. */
export function listScripts() {
  return [...new Set(post('Profiler.takePreciseCoverage').result.map(({ url }) => url))].filter(isOurs);
}

function isOurs(url) {
  return url.includes('/node_modules/inboard/') || url.includes('/@cfworker/');
}
