// The state that all conversations of a process share: its parts and settings, its leases, the journal's hints, and its counts.
import { createBackoff, type Backoff } from '../../limits/backoff.js';
import { ChangeHub } from './change-hub.js';
import type { HostParts } from './host-parts.js';
import { LeaseKeeper } from './lease-keeper.js';
import type { WorkOptions, WorkerStats } from './work-options.js';
import {
  createEmitter,
  readWorkSettings,
  type EmitWorkerEvent,
  type WorkerSettings,
} from './worker-settings.js';

/** The counts of a worker that only grow. */
export type WorkCounts = Omit<WorkerStats, 'running' | 'warm'>;

/** The shared state of a worker process, or of a single step. The caller that makes it closes it. */
export class WorkHost {
  readonly parts: HostParts;
  readonly settings: WorkerSettings;
  readonly emit: EmitWorkerEvent;
  /** Whether the program listens to the worker's events. */
  readonly isHeard: boolean;
  readonly keeper: LeaseKeeper;
  readonly hub: ChangeHub;
  readonly backoff: Backoff = createBackoff();
  readonly counts: WorkCounts = { leases: 0, takeovers: 0, lost: 0, turns: 0, parked: 0, handedOver: 0 };

  constructor(parts: HostParts, options: WorkOptions) {
    this.parts = parts;
    this.settings = readWorkSettings(options);
    const { name, leaseMs } = this.settings;
    this.isHeard = options.onEvent !== undefined;
    this.emit = createEmitter(name, options.onEvent, parts.telemetry);
    const onTrouble = (error: unknown, key?: string): void =>
      this.emit({ type: 'trouble', key, where: 'journal', error });
    const { journal } = parts;
    const hub = new ChangeHub(journal, onTrouble);
    this.hub = hub;
    this.keeper = new LeaseKeeper({
      journal,
      owner: name,
      leaseMs,
      onTrouble,
      onBack: () => hub.tell(),
      onReleased: ({ key, epoch }, left) => {
        this.emit({ type: 'released', key, epoch });
        // Other workers were told that this one has the conversation. It is free now.
        if (left) void this.wake(key, { urgent: true, afterMs: left.afterMs ?? 0 });
      },
    });
  }

  /** Asks the dispatcher for a wake. False if that fails, and then the sweep finds the conversation. */
  async wake(key: string, options: { afterMs?: number; urgent?: boolean } = {}): Promise<boolean> {
    try {
      await this.parts.dispatcher.wake(key, options);
      return true;
    } catch (error) {
      this.emit({ type: 'trouble', key, where: 'dispatcher', error });
      return false;
    }
  }

  async close(): Promise<void> {
    await this.keeper.close();
    await this.hub.close();
  }
}
