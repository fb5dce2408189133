// What is said about the rest of a script when its block was left in the middle. Most often the test has failed there,
// and an error thrown from `await using` would hide its own in a `SuppressedError`.

/** Reports what was not played as a warning of the process; nothing when there is nothing. */
export function warnOfRest(subject: string, problems: readonly string[]): void {
  if (problems.length === 0) return;
  const message = `${subject}:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`;
  process.emitWarning(message, { code: 'SCRIPT_MISMATCH' });
}
