// Warns of the steps that are left when the block of an `await using` ended before the script. Usually the test has
// failed, and an error thrown at the end of the block would hide the test's error in a `SuppressedError`.

/** Reports the problems as a warning of the process. Does nothing if there are none. */
export function warnOfRest(subject: string, problems: readonly string[]): void {
  if (problems.length === 0) return;
  const message = `${subject}:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`;
  process.emitWarning(message, { code: 'SCRIPT_MISMATCH' });
}
