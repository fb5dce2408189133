/** The probes of an SDK that drives the Claude CLI, by the id of their row; each resolves with the words of the table. */
export function createCliProbes(given: {
  sdk: object;
  testing: object;
  ownOptions?: object;
  ownKit?: object;
}): Record<string, () => Promise<string>>;
