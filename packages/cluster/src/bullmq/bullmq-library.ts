// Loads BullMQ, an optional peer, with the first wake or the first worker. BullMQ brings no client of its own: the user
// installs `ioredis` for Redis or `pg` for PostgreSQL beside it.
import type * as Library from 'bullmq';
import { ClusterError, PartLoadError } from '@inboard/core/errors.js';
import { LateModule } from '@inboard/core/util/late-module.js';
import { loadPackage } from '@inboard/core/util/load-part.js';
import { messageOf } from '@inboard/core/util/message-of.js';
import type { BullmqServer } from './bullmq-options.js';

/** The parts of `bullmq` that this package uses. */
export type BullmqLibrary = Pick<typeof Library, 'Queue' | 'Worker' | 'createPostgresBackend'>;

const VERSION = '^6.7.0';
const CLIENTS: Readonly<Record<BullmqServer, { name: string; version: string }>> = {
  redis: { name: 'ioredis', version: '^6.0.0' },
  postgres: { name: 'pg', version: '^8.23.0' },
};

/** How many file descriptors must be free to load BullMQ: twice the measured need. */
const ROOM = 4;
const library = new LateModule<Partial<BullmqLibrary>>(() =>
  loadPackage({ name: 'bullmq', room: ROOM }, () => import('bullmq')),
);

/** Loads BullMQ. Rejects with a ClusterError that has the install command, or with a PartLoadError. */
export async function loadBullmq(server: BullmqServer): Promise<BullmqLibrary> {
  let loaded: Partial<BullmqLibrary>;
  try {
    loaded = await library.load();
  } catch (error) {
    if (error instanceof PartLoadError) throw error;
    const isAbsent = /Cannot find (?:module|package) 'bullmq'/.test(messageOf(error));
    throw missing(server, isAbsent ? 'is not installed' : `cannot be loaded: ${messageOf(error)}`, error);
  }
  const { Queue, Worker, createPostgresBackend } = loaded;
  // Version 6 is the first with a choice of servers.
  if (!Queue || !Worker || !createPostgresBackend) throw missing(server, 'is older than version 6');
  return { Queue, Worker, createPostgresBackend };
}

/** Turns BullMQ's error about a client that it cannot load into a ClusterError. Returns any other error unchanged. */
export function explainClientFailure(server: BullmqServer, error: unknown): unknown {
  const { name } = CLIENTS[server];
  if (!messageOf(error).includes(`could not load the optional '${name}'`)) return error;
  const message = `BullMQ reaches its server through the package "${name}", which is not installed. Install it with "${installOf(server)}".`;
  return new ClusterError('CLUSTER_LIBRARY_MISSING', message, { cause: error });
}

function missing(server: BullmqServer, what: string, cause?: unknown): ClusterError {
  const message = `Wakes are sent through the package "bullmq", which ${what}. Install it with "${installOf(server)}".`;
  return new ClusterError('CLUSTER_LIBRARY_MISSING', message, cause === undefined ? {} : { cause });
}

function installOf(server: BullmqServer): string {
  const { name, version } = CLIENTS[server];
  return `npm install bullmq@${VERSION} ${name}@${version}`;
}
