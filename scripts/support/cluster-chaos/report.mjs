// The report of chaos runs and benches of the cluster: a page of sections, each written by one command and replaced by its next
// run, with the machine and the commit it was made on.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describeMachine, readCommit, readLoad } from '../../../bench/machine.mjs';
import { formatMarkdown } from './table.mjs';

const TITLE = `# The cluster, measured

Written by the commands below, each section by its own; run one again and its section is replaced. Services are PostgreSQL and
Redis of Debian on loopback, on the same machine as all workers, CLIs and readers. Each section says how busy that machine was: with a
load of 20 on two cores, figures in milliseconds are mostly waiting for a processor, and ratios, counts and "no promise was broken" are
what a section shows.
`;

/** Writes a section in place of the one with the same heading, or at the end. */
export function writeSection(file, { heading, command, head, rows, remarks = [] }) {
  const page = existsSync(file) ? readFileSync(file, 'utf8') : TITLE;
  const [title, ...sections] = page.split(/^(?=## )/m);
  const { cpu, cores, system, node } = describeMachine();
  const section = [
    `## ${heading}`,
    '',
    `\`${command}\` at ${readCommit()}; ${cores} cores (${cpu}, ${system}), Node ${node}, load ${readLoad()}.`,
    '',
    formatMarkdown(head, rows),
    '',
    ...remarks.flatMap((remark) => [remark, '']),
  ].join('\n');
  const at = sections.findIndex((one) => one.startsWith(`## ${heading}\n`));
  if (at === -1) sections.push(section);
  else sections[at] = section;
  writeFileSync(file, `${[title.trimEnd(), ...sections.map((one) => one.trimEnd())].join('\n\n')}\n`);
}
