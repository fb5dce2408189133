// Warns of the rest of a script when the block of an `await using` was left in the middle. Most often the test has failed
// there, and an error thrown at the end of the block would hide the test's error in a `SuppressedError`.

/** Reports the problems as a warning of the process; does nothing if there are none. */
export function warnOfRest(subject: string, problems: readonly string[]): void {
  if (problems.length === 0) return;
  const message = `${subject}:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`;
  process.emitWarning(message, { code: 'SCRIPT_MISMATCH' });
}
