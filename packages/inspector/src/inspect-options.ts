// The options of `inspect()`, and the check of them, which runs before anything listens.
import type { Approvals } from '@inboard/core/answer/permissions/approvals/approvals.js';
import type { Journal } from '@inboard/cluster/journal/journal.js';
import { InvalidOptionsError } from '@inboard/core/errors.js';
import type { RedactOptions } from '@inboard/core/record/trace/recorder/redact.js';
import {
  callback,
  checkShape,
  either,
  fields,
  filledText,
  inWords,
  listOf,
  record,
  shape,
  strictFlag,
  wholeNumber,
  type OptionShape,
} from '@inboard/core/util/option-shapes.js';
import { checkRedact } from '@inboard/core/util/redact-problem.js';

/** How the page is served, and what it may do. */
export interface InspectOptions {
  /** The port to listen on; 0 for any free port. Default: 4700, or the next free port. */
  port?: number | undefined;
  /** The address to listen on. Default 127.0.0.1, which only browsers on this machine can reach. */
  host?: string | undefined;
  /** Host names, besides those of loopback, by which browsers may reach the server. A proxy in front of it may need one. */
  allowedHosts?: readonly string[] | undefined;
  /** If true, the page only shows: nobody can answer, send a message or reveal a hidden value there. Default false. */
  readOnly?: boolean | undefined;
  /** What to hide; `false` hides nothing. Default: for each session, what its trace hides, or would hide if it had one. */
  redact?: RedactOptions | false | undefined;
  /**
   * Queues whose questions appear on the page, including those that other processes ask. Questions that this process is
   * waiting for appear without this option.
   */
  approvals?: Approvals | readonly Approvals[] | undefined;
  /**
   * Makes sessions that are started later and have no `canUseTool` (or `onElicitation`) ask on the page, and wait for an
   * answer there. Default false: the CLI decides. Not allowed with a target.
   */
  askHere?: boolean | undefined;
  /**
   * The journal of a cluster. The page then shows the cluster's conversations, whichever processes work on them, instead of
   * the sessions of this process.
   */
  journal?: Journal | undefined;
  /** Shows only the conversations of this tenant. Only for a cluster. */
  tenant?: string | undefined;
  /**
   * If true, the program goes on when it has done its work, until its pages have been closed; if there was none yet, until
   * one has been opened and closed. It does not outlive `process.exit()`, an uncaught error or a signal. Default false.
   */
  hold?: boolean | undefined;
  /** What the page is called. Default: the program's name and its process id. */
  title?: string | undefined;
  /** Where the link goes: to standard error (`true`), nowhere (`false`), or to a function. Default true. */
  print?: boolean | ((link: string) => void) | undefined;
}

const queue = fields('what createApprovals() returned', { answer: callback });

const RULES: Readonly<Record<keyof InspectOptions, OptionShape>> = {
  port: wholeNumber(0, 65_535),
  // With an empty host, Node would listen on every address.
  host: inWords('an address or a name, as a string', filledText),
  allowedHosts: listOf('a list of names', filledText),
  readOnly: strictFlag,
  redact: shape(
    'false, or an object as in the option "trace"',
    (value) => value === false || record.fits(value),
  ),
  approvals: inWords(
    'what createApprovals() returned, or a list of those',
    either(queue, listOf('a list of those', queue)),
  ),
  askHere: strictFlag,
  journal: fields('a journal: what memoryJournal() or postgresJournal() returned', {
    conversations: callback,
  }),
  tenant: inWords('a string', filledText),
  hold: strictFlag,
  title: inWords('a string', filledText),
  print: inWords('true, false or a function', either(strictFlag, callback)),
};

/** What an inspector is for: all sessions of the process, some of them, or the conversations of a cluster. */
export type InspectScope = 'process' | 'sessions' | 'cluster';

/** Throws an InvalidOptionsError for the first option that is unknown, has a wrong value, or does not go with the others. */
export function checkInspectOptions(options: InspectOptions, scope: InspectScope): void {
  for (const [name, value] of Object.entries(options)) {
    // Only tests give this option, to serve another page.
    if (name === 'assets') continue;
    if (!Object.hasOwn(RULES, name))
      throw new InvalidOptionsError(
        [name],
        `inspect() has no option "${name}". Its first argument is a query, a session, a pool, a group or a cluster of this package, or its options: ${Object.keys(RULES).join(', ')}`,
      );
    if (name === 'redact') checkRedact(value, 'inspect()');
    checkShape(name, value, RULES[name as keyof InspectOptions], {
      end: (given) => `, but is ${describe(given)}`,
    });
  }
  if (options.journal !== undefined && scope === 'sessions')
    throw new InvalidOptionsError(
      ['journal'],
      '"journal" shows the conversations of a cluster, so use it with inspect() without a target',
    );
  const isCluster = scope === 'cluster' || options.journal !== undefined;
  if (options.tenant !== undefined && !isCluster)
    throw new InvalidOptionsError(
      ['tenant'],
      '"tenant" chooses among the conversations of a cluster: give the cluster as the first argument, or its "journal"',
    );
  for (const name of ['approvals', 'askHere'] as const)
    if (isCluster && options[name] !== undefined && options[name] !== false)
      throw new InvalidOptionsError(
        [name],
        `"${name}" is for sessions of this process; the questions of a cluster are in its journal, and are shown without it`,
      );
  if (options.askHere === true && scope === 'sessions')
    throw new InvalidOptionsError(
      ['askHere'],
      '"askHere" is for sessions that are started later, so use it with inspect() for the whole process, without a target',
    );
}

function describe(value: unknown): string {
  if (value === null || ['string', 'number', 'boolean', 'bigint'].includes(typeof value))
    return typeof value === 'string' ? JSON.stringify(value) : String(value);
  return Array.isArray(value) ? 'a list' : `of type ${typeof value}`;
}
