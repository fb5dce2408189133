// `inspect`: serves a page on which sessions of this process, or conversations of a cluster, can be watched and steered.
import type { ClusterTarget } from '@inboard/cluster/journal/cluster-target.js';
import { callListener, warnOfCallback } from '@inboard/core/util/call-listener.js';
import { loadPart } from '@inboard/core/util/load-part.js';
import { findOptions } from '@inboard/core/util/options-object.js';
import { withoutUndefined } from '@inboard/core/util/without-undefined.js';
import { askHere } from '@inboard/core/live/watch/ask-here.js';
import { writeBlankPage } from './html/page-frame.js';
import { checkInspectOptions, type InspectOptions } from './inspect-options.js';
import { describeRecordCommand } from './record-command.js';
import { readPageAssets, type PageAssets } from './server/page-assets.js';
import { startInspectorServer } from './server/inspector-server.js';
import {
  describeOnce,
  INSPECT_TARGET,
  watchSessions,
  type SessionsTarget,
} from '@inboard/core/live/watch/session-registry.js';
import { LiveSource } from './sources/live-source.js';
import type { SessionSource } from './sources/session-source.js';

/** What a public object, such as a session or a pool, gives `inspect` to watch. */
type InspectTarget = SessionsTarget | ClusterTarget;

/** A session (a query, a conversation, a warm one), a pool, a group or a cluster. */
export type InspectableObject = { close(): Promise<void> } | { closeAll(): Promise<void> };

/** A page that is being served. It ends with `close`, or with the program, which it does not keep alive. */
export interface Inspector extends AsyncDisposable {
  /** A link that lets one browser in, once. */
  readonly url: string;
  /** Creates another link that lets one browser in, once. */
  createLink(): string;
  /** Ends the page; sessions continue. */
  close(): Promise<void>;
}

/**
 * Serves a page for every session of this process: those already running, and those started while the page is open. With the
 * option `journal`, the page is for the conversations of a cluster instead.
 */
export function inspect(options?: InspectOptions): Promise<Inspector>;
/**
 * Serves a page for one session, for the sessions of a pool or group, or for the conversations of a cluster, whichever
 * processes work on them.
 */
export function inspect(target: InspectableObject, options?: InspectOptions): Promise<Inspector>;
export async function inspect(
  ...given: [first?: InspectableObject | InspectOptions, second?: InspectOptions]
): Promise<Inspector> {
  const target = findTarget(given[0]);
  const options = findOptions([given[0], given[1]], {
    of: 'inspect()',
    subject: 'a session, a pool, a group or a cluster',
    isSubject: target !== undefined,
    example: 'inspect({ readOnly: true })',
  });
  return await inspectTarget(target, options);
}

/** Serves the page for a target that is already resolved. Tests may serve another page than that of the package. */
export async function inspectTarget(
  target: InspectTarget | undefined,
  options: InspectOptions & { assets?: PageAssets | undefined },
): Promise<Inspector> {
  const cluster = target && 'journal' in target ? target : undefined;
  checkInspectOptions(options, cluster ? 'cluster' : target ? 'sessions' : 'process');
  const { readOnly: isReadOnly = false, print = true } = options;
  const found = cluster ?? (options.journal && { journal: options.journal });
  const { source, close } = found
    ? await openCluster(found, options)
    : openProcess(target as SessionsTarget | undefined, options);
  try {
    const { port, host, allowedHosts, assets = readPageAssets(), hold = false } = options;
    const recordCommand = found ? undefined : describeRecordCommand((text) => source.redact?.(text) ?? text);
    const program = { recordCommand, holds: hold, onHold: () => announceHold(print) };
    const blankPage = (): string => writeBlankPage(assets);
    const server = await startInspectorServer(
      source,
      withoutUndefined({ port, host, allowedHosts, assets, isReadOnly, program, blankPage }),
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

interface OpenSource {
  source: SessionSource;
  close: () => Promise<void>;
}

async function openCluster(
  { journal, wake }: ClusterTarget,
  { title = nameProcess(), readOnly: isReadOnly = false, tenant, redact }: InspectOptions,
): Promise<OpenSource> {
  // Loaded on use, because programs without a cluster do not need it.
  const { JournalSource } = await loadPart(() => import('./sources/journal/journal-source.js'));
  const source = await JournalSource.open({ journal, wake, title, isReadOnly, tenant, redact });
  return { source, close: () => source.close() };
}

function openProcess(
  target: SessionsTarget | undefined,
  {
    title = nameProcess(),
    readOnly: isReadOnly = false,
    redact,
    approvals = [],
    askHere: asks,
  }: InspectOptions,
): OpenSource {
  const source = new LiveSource({ title, isReadOnly, isWhole: target === undefined, redact });
  const ends: (() => void)[] = [];
  const close = async (): Promise<void> => {
    for (const end of ends.splice(0)) end();
    await source.close();
  };
  try {
    ends.push(follow(source, target));
    if (asks === true) ends.push(askHere());
    for (const queue of [approvals].flat()) source.addQueue(queue);
    return { source, close };
  } catch (error) {
    void close();
    throw error;
  }
}

function follow(source: LiveSource, target: SessionsTarget | undefined): () => void {
  if (target && 'subject' in target) {
    source.add(describeOnce(target.subject));
    return () => {};
  }
  for (const subject of target?.present ?? []) source.add(describeOnce(subject));
  return watchSessions((session) => source.add(session), target?.origin);
}

function findTarget(given: object | null | undefined): InspectTarget | undefined {
  const holder: { [INSPECT_TARGET]?: () => InspectTarget } | null | undefined = given;
  const find = holder?.[INSPECT_TARGET];
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

function announceHold(print: NonNullable<InspectOptions['print']>): void {
  if (print !== false)
    process.stderr.write(
      'Inspector: the program has done its work, and ends when its pages are closed. Ctrl+C ends it now.\n',
    );
}
