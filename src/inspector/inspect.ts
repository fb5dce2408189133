// `inspect`: serves a page on which sessions of this process can be watched and steered.
import { InvalidOptionsError } from '../errors.js';
import { callListener, warnOfCallback } from '../util/call-listener.js';
import { withoutUndefined } from '../util/without-undefined.js';
import { askHere } from './ask-here.js';
import { checkInspectOptions, type InspectOptions } from './inspect-options.js';
import type { PageAssets } from './server/page-assets.js';
import { startInspectorServer } from './server/inspector-server.js';
import { describeOnce, INSPECT_TARGET, watchSessions, type InspectTarget } from './session-registry.js';
import { LiveSource } from './sources/live-source.js';

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
  checkInspectOptions(options, target !== undefined);
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
