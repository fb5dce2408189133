// The two objects of BullMQ that are used, a queue and a worker, as they are used: their types differ by server, and what
// is needed of them does not.
import type { Job } from 'bullmq';
import { explainClientFailure, loadBullmq } from './bullmq-library.js';
import type { BullmqSettings } from './bullmq-options.js';

/** What a job of ours holds. */
export interface WakeData {
  key: string;
  urgent?: true;
}

/** What both have. */
interface BullmqPart {
  waitUntilReady(): Promise<unknown>;
  on(event: 'error', listen: (error: unknown) => void): unknown;
  backend: { close(force?: boolean): Promise<void> };
}

/** Takes jobs in. */
export interface BullmqAdder extends BullmqPart {
  add(name: string, data: WakeData, options: object): Promise<unknown>;
}

/** Gives jobs out. */
export interface BullmqWorker extends BullmqPart {
  getNextJob(token: string): Promise<Job<Partial<WakeData>> | undefined>;
  startStalledCheckTimer(): Promise<void>;
  close(force?: boolean): Promise<void>;
}

type Constructor<Part> = new (...given: unknown[]) => Part;

/** How long a job may lie between being taken and being taken note of; only a worker that dies in between needs so long. */
const LOCK_MS = 3_000;
const STALLED_MS = 5_000;
/** The most events that are kept: they are never read, and without a limit each stays for good. */
const MAX_EVENTS = 100;

/** Is told what hinders a queue or a worker; without one BullMQ writes to the console. */
type OnError = (error: unknown) => void;

/** Makes a queue. */
export async function openAdder(settings: BullmqSettings, onError: OnError): Promise<BullmqAdder> {
  const { Queue, createPostgresBackend } = await loadBullmq(settings.server);
  const options = {
    connection: settings.forQueue,
    prefix: settings.prefix,
    streams: { events: { maxLen: MAX_EVENTS } },
  };
  return makePart(settings, onError, () => {
    const factory = settings.server === 'postgres' ? createPostgresBackend : undefined;
    return new (Queue as unknown as Constructor<BullmqAdder>)(settings.queue, options, factory);
  });
}

/** Makes a worker that is asked for each job. */
export async function openWorker(settings: BullmqSettings, onError: OnError): Promise<BullmqWorker> {
  const { Worker, createPostgresBackend } = await loadBullmq(settings.server);
  const options = {
    connection: settings.forWorker,
    prefix: settings.prefix,
    lockDuration: LOCK_MS,
    stalledInterval: STALLED_MS,
    // A wake is never given up; the default would do so after the second worker that dies.
    maxStalledCount: 1_000_000_000,
  };
  return makePart(settings, onError, () => {
    const factory = settings.server === 'postgres' ? createPostgresBackend : undefined;
    return new (Worker as unknown as Constructor<BullmqWorker>)(settings.queue, null, options, factory);
  });
}

function makePart<Part extends BullmqPart>(
  settings: BullmqSettings,
  onError: OnError,
  make: () => Part,
): Part {
  try {
    const part = make();
    // At once: a client that is not installed is told in the next moment.
    part.on('error', onError);
    return part;
  } catch (error) {
    throw explainClientFailure(settings.server, error);
  }
}
