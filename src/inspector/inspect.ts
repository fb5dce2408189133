// `inspect`: serves a page on which sessions of this process can be watched and steered.
import type { Approvals } from '../answer/permissions/approvals/approvals.js';
import { InvalidOptionsError } from '../errors.js';
import type { RedactOptions } from '../record/trace/recorder/redact.js';
import { callListener, warnOfCallback } from '../util/call-listener.js';
import { withoutUndefined } from '../util/without-undefined.js';
import { askHere } from './ask-here.js';
import type { PageAssets } from './server/page-assets.js';
import { startInspectorServer } from './server/inspector-server.js';
import { describeOnce, INSPECT_TARGET, watchSessions, type InspectTarget } from './session-registry.js';
import { LiveSource } from './sources/live-source.js';

/** How the page is served, and what it may do. */
export interface InspectOptions {
  /** Default: 4700, or the next that is free; 0 for any free one. */
  port?: number | undefined;
  /** The address to listen on. Default 127.0.0.1: browsers of this machine alone. */
  host?: string | undefined;
  /** Names besides those of loopback by which browsers may call the server, where `host` is not loopback. */
  allowedHosts?: readonly string[] | undefined;
  /** Pages may only look: no answers, no messages, nothing revealed. Default false. */
  readOnly?: boolean | undefined;
  /** What is hidden; `false` hides nothing. Default: for each session what its own trace hides, or would. */
  redact?: RedactOptions | false | undefined;
  /** Queues whose questions are put on the page, also those that other processes ask. Questions that this process waits for are there without it. */
  approvals?: Approvals | readonly Approvals[] | undefined;
  /** Has sessions that are started later and have no `canUseTool` (or `onElicitation`) ask on the page, and wait until somebody answers. Default false: the CLI decides. Only without a target. */
  askHere?: boolean | undefined;
  /** What the page is called. Default: the program's name and its process id. */
  title?: string | undefined;
  /** Where the link is told: on the standard error, nowhere, or to a function. Default true. */
  print?: boolean | ((link: string) => void) | undefined;
}

/** A session (a query, a conversation, a warm one), a pool or a group. */
export type InspectableObject = { close(): Promise<void> } | { closeAll(): Promise<void> };

/** A page that is being served. It ends with the program, which it does not keep alive, or by `close`. */
export interface Inspector extends AsyncDisposable {
  /** A link that lets one browser in, once. */
  readonly url: string;
  /** Another such link. */
  createLink(): string;
  /** Ends the page; sessions go on. */
  close(): Promise<void>;
}

/** Serves a page for every session of this process: those that run, and those that are started while it is open. */
export function inspect(options?: InspectOptions): Promise<Inspector>;
/** Serves a page for one session, or for those of a pool or group. */
export function inspect(target: InspectableObject, options?: InspectOptions): Promise<Inspector>;
export async function inspect(
  first: InspectableObject | InspectOptions = {},
  second: InspectOptions = {},
): Promise<Inspector> {
  if (typeof first !== 'object' || first === null)
    throw new InvalidOptionsError(['target'], 'inspect() takes a session, a pool, a group, or its options');
  const target = findTarget(first);
  return await openInspector(target, target ? second : (first as InspectOptions));
}

/** The same for a target that was found, and with another page than that of the package. */
export async function openInspector(
  target: InspectTarget | undefined,
  options: InspectOptions & { assets?: PageAssets | undefined },
): Promise<Inspector> {
  checkOptions(options, target);
  const { readOnly: isReadOnly = false, redact, approvals = [], print = true } = options;
  const source = new LiveSource({
    title: options.title ?? nameProcess(),
    isReadOnly,
    isWhole: target === undefined,
    redact,
  });
  const ends: (() => void)[] = [];
  const close = async (): Promise<void> => {
    for (const end of ends.splice(0)) end();
    await source.close();
  };
  try {
    ends.push(follow(source, target));
    if (options.askHere === true) ends.push(askHere());
    for (const queue of [approvals].flat()) source.addQueue(queue);
    const { port, host, allowedHosts, assets } = options;
    const server = await startInspectorServer(
      source,
      withoutUndefined({ port, host, allowedHosts, assets, isReadOnly, isBackground: true }),
    );
    const url = server.createLink();
    announce(url, print);
    const closeAll = async (): Promise<void> => {
      await server.close();
      await close();
    };
    return { url, createLink: () => server.createLink(), close: closeAll, [Symbol.asyncDispose]: closeAll };
  } catch (error) {
    await close();
    throw error;
  }
}

function follow(source: LiveSource, target: InspectTarget | undefined): () => void {
  if (target && 'subject' in target) {
    source.add(describeOnce(target.subject));
    return () => {};
  }
  for (const subject of target?.present ?? []) source.add(describeOnce(subject));
  return watchSessions((session) => source.add(session), target?.origin);
}

function findTarget(given: object): InspectTarget | undefined {
  const find = (given as { [INSPECT_TARGET]?: () => InspectTarget } | undefined)?.[INSPECT_TARGET];
  return typeof find === 'function' ? find.call(given) : undefined;
}

const OPTIONS: ReadonlySet<string> = new Set<keyof InspectOptions>([
  'port',
  'host',
  'allowedHosts',
  'readOnly',
  'redact',
  'approvals',
  'askHere',
  'title',
  'print',
]);

function checkOptions(options: InspectOptions, target: InspectTarget | undefined): void {
  const { port } = options;
  const unknown = Object.keys(options).filter((name) => !OPTIONS.has(name) && name !== 'assets');
  if (unknown.length > 0)
    throw new InvalidOptionsError(
      unknown,
      `inspect() knows no option "${unknown[0]}". Its first argument is a query, a session, a pool or a group of this package, or its options: ${[...OPTIONS].join(', ')}`,
    );
  if (port !== undefined && !(Number.isInteger(port) && port >= 0 && port <= 65_535))
    throw new InvalidOptionsError(
      ['port'],
      `"port" must be a whole number from 0 to 65535, not ${String(port)}`,
    );
  if (options.askHere === true && target)
    throw new InvalidOptionsError(
      ['askHere'],
      '"askHere" is for sessions that are started later, so it goes with inspect() for the whole process, without a target',
    );
}

function nameProcess(): string {
  const [, script = 'node'] = process.argv;
  return `${script.split(/[\\/]/).at(-1) ?? 'node'} (process ${process.pid})`;
}

function announce(url: string, print: NonNullable<InspectOptions['print']>): void {
  if (typeof print === 'function')
    callListener(
      () => print(url),
      (cause) => warnOfCallback('inspect print', cause),
    );
  else if (print) process.stderr.write(`Inspector: ${url}\n`);
}
