// What a process says of its health. A report has names and codes only: no text of an error, no address, no name of a worker, a
// tenant or a conversation. So it may be shown to strangers.

/** One thing without which a process cannot do its work. */
export interface HealthCheck {
  readonly name: string;
  readonly ok: boolean;
  /** Why the check fails: one word in capitals, such as `DRAINING` or `NO_ANSWER`. */
  readonly code?: string | undefined;
}

/** The health of a process. It is alive if it can give a report at all. */
export interface HealthReport {
  /** Whether all checks pass. */
  readonly ready: boolean;
  readonly checks: readonly HealthCheck[];
  /** The longest time within the last minute, in milliseconds, for which this process did nothing else than one piece of work. */
  readonly loopDelayMs: number;
}

/** How long a report may take. */
export interface HealthOptions {
  /** Milliseconds after which a check without an answer fails. Default 800, a little less than Kubernetes waits by default. */
  timeoutMs?: number | undefined;
}

/** What `createHealthHandler()` and `serveHealth()` ask: a cluster, a server of `serveCli()`, or an object of your own. */
export interface HealthSubject {
  /** The health of this process now. Never rejects, and takes no longer than `timeoutMs`. */
  health(options?: HealthOptions): Promise<HealthReport>;
  /** The metrics of this process in the text format of Prometheus. Takes no longer than `timeoutMs`. */
  metrics(options?: HealthOptions): Promise<string>;
}

/** The default of `timeoutMs`. The kubelet waits one second for a probe. */
export const HEALTH_TIMEOUT_MS = 800;

/** Makes a report from the failed checks, by name, with their codes. */
export function reportHealth(
  names: readonly string[],
  failed: Readonly<Record<string, string | undefined>>,
  loopDelayMs: number,
): HealthReport {
  const checks = names.map((name): HealthCheck => {
    const code = failed[name];
    return code === undefined ? { name, ok: true } : { name, ok: false, code };
  });
  return { ready: checks.every(({ ok }) => ok), checks, loopDelayMs };
}
