// Notices when the API refuses more requests (429, 529), and delays new turns on all workers. If the refused turn has a tenant,
// only turns of that tenant are delayed.
import type { Outcome } from '@inboard/core/live/output/outcome.js';
import type { SDKMessage } from '@inboard/core/wire/protocol/messages/messages.js';
import type { WorkHost } from '../host/work-host.js';

const REFUSALS: ReadonlySet<unknown> = new Set([429, 529]);

/** Notes a message that says that the API refused a request and the CLI will retry it. */
export function notePressure(host: WorkHost, tenant: string | undefined, message: SDKMessage): void {
  if (message.type !== 'system' || message.subtype !== 'api_retry') return;
  const { error_status: status, retry_delay_ms: retryAfterMs, attempt } = message;
  if (REFUSALS.has(status)) pause(host, { tenant, status, retryAfterMs, attempt });
}

/** Notes how a turn ended. */
export function noteOutcome(host: WorkHost, tenant: string | undefined, outcome: Outcome): void {
  if (outcome.ok) host.backoff.succeeded(tenant);
  else if (REFUSALS.has(outcome.apiErrorStatus)) pause(host, { tenant, status: outcome.apiErrorStatus });
}

interface Refused {
  tenant: string | undefined;
  status: number | null | undefined;
  retryAfterMs?: number | undefined;
  attempt?: number | undefined;
}

function pause(host: WorkHost, { tenant, status, retryAfterMs, attempt }: Refused): void {
  const ms = host.backoff.refused({ tenant, retryAfterMs, attempt });
  const reason = status === 429 ? 'The API limits the rate (429)' : `The API is overloaded (${status})`;
  host.emit({ type: 'paused', tenant, ms, reason });
  // Not awaited. If the journal is away, this pause is lost, and the next refusal tries again.
  host.parts.journal.pause({ tenant, ms, reason }).catch((error: unknown) => {
    host.emit({ type: 'trouble', where: 'journal', error });
  });
}
