// What a scenario reads of its own process, and the work its tools do.

/** CPU time of this process since `before` (of `process.cpuUsage`), user and system, in milliseconds. */
export function cpuMsSince(before) {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

export function rssMb() {
  return process.memoryUsage.rss() / 1e6;
}

/** The highest it ever was. */
export function peakRssMb() {
  return (process.resourceUsage().maxRSS * 1024) / 1e6;
}

/** The median; of an even number the higher one. */
export function middleOf(values) {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];
}

const FOUND = 'name=Widget price=12.50 stock=7; '.repeat(5);

/** What both tools do, on every target alike. */
export function answerTool(name, given) {
  const text = name === 'echo' ? given.text : `found ${given.id} ${FOUND}`;
  return { content: [{ type: 'text', text }] };
}

export function answerPermission(name, input) {
  return { behavior: 'allow', updatedInput: input };
}
