// Opens the queue and the worker of BullMQ, and gives them one type each. BullMQ's own types differ by server, but the methods
// that are used here are the same.
import type { Job } from 'bullmq';
import { explainClientFailure, loadBullmq } from './bullmq-library.js';
import type { BullmqSettings } from './bullmq-options.js';

/** The data of a job: one wake. */
export interface WakeData {
  key: string;
  urgent?: true;
}

/** The methods that a queue and a worker share. */
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

/** Milliseconds that a taken job stays locked if it is not acknowledged, for instance because its worker died. */
const LOCK_MS = 3_000;
const STALLED_MS = 5_000;
/** The most events that BullMQ keeps. They are never read, and without a limit BullMQ keeps them all. */
const MAX_EVENTS = 100;

/** Told of errors of a queue or a worker. Without a listener, BullMQ writes them to the console. */
type OnError = (error: unknown) => void;

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

/** Makes a worker that gives out a job only when it is asked for one. */
export async function openWorker(settings: BullmqSettings, onError: OnError): Promise<BullmqWorker> {
  const { Worker, createPostgresBackend } = await loadBullmq(settings.server);
  const options = {
    connection: settings.forWorker,
    prefix: settings.prefix,
    lockDuration: LOCK_MS,
    stalledInterval: STALLED_MS,
    // A wake is never given up. By default, BullMQ drops a wake when a second worker dies with it.
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
    // The listener is added at once. If the client is not installed, BullMQ reports it immediately after this call.
    part.on('error', onError);
    return part;
  } catch (error) {
    throw explainClientFailure(settings.server, error);
  }
}
