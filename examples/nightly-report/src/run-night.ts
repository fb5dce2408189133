// One run: all tenants under the limits of one group, each within its budget, and again where the service is busy.
import { join } from 'node:path';
import type { Client } from '@libsql/client';
import { createSessionGroup, type QueryOptions } from 'inboard';
import { withTelemetry } from 'inboard/otel';
import type { Backoff } from './backoff.ts';
import { orders } from './order-tools.ts';
import { spentInMonth } from './store.ts';
import { startTracer } from './telemetry.ts';
import type { Tenant } from './tenants.ts';

export interface Night {
  night: string;
  folder: string;
  store: Client;
  tenants: readonly Tenant[];
  options: QueryOptions;
  backoff: Backoff;
  stop: AbortSignal;
  /** Tenants at work at once, tries of a turn while the service is busy, and time for a tenant, waiting included. */
  limits?: { running: number; tries: number; milliseconds: number };
}
export type Status = 'done' | 'over budget' | 'failed' | 'not finished';
export type TenantResult = Awaited<ReturnType<typeof runNight>>[number];
const OUTPUT = { headline: 'string: the one thing to know', findings: 'string[]: up to five' } as const;
const LIMITS = { running: 2, tries: 4, milliseconds: 600_000 };

export async function runNight({ night, folder, store, limits = LIMITS, stop, backoff, ...job }: Night) {
  const tracer = startTracer(join(folder, 'spans', `${night}.jsonl`));
  await using group = createSessionGroup({ maxRunning: limits.running });
  const runTenant = async (tenant: Tenant) => {
    const notes: string[] = [];
    const spentBefore = await spentInMonth(store, tenant.id, night);
    const figures = { costUsd: 0, spentBefore, tokens: 0, seconds: 0, trace: '' };
    const result = { tenant, notes, findings: [] as string[], ...figures };
    const end = (status: Status, headline: string) => Object.assign(result, { status, headline });
    const left = tenant.budgetUsd - spentBefore;
    if (left <= 0) return end('over budget', 'Not started: the budget is spent.');
    const onThreshold = ({ totalCostUsd: cost = 0 }) => cost < left && notes.push('Nearly spent.');
    result.trace = join(folder, 'traces', night, `${tenant.id}.jsonl`);
    const own = {
      ...job.options,
      mcpServers: { orders },
      allowedTools: [orders],
      hookFailure: 'refuse' as const, // a hook that you add must not fail open
      toolContext: { store, tenant: tenant.id },
      output: OUTPUT,
      trace: result.trace,
      maxBudgetUsd: left,
      usage: { thresholdsUsd: [left * 0.8], onThreshold },
    };
    const traced = withTelemetry(own, { tracer, agentName: tenant.id });
    const session = group.open({ key: tenant.id, options: traced });
    const signal = AbortSignal.any([stop, AbortSignal.timeout(limits.milliseconds)]);
    let prompt = `Report on the orders of ${tenant.name}: the last 7 days against the 7 before, and what sells.`;
    try {
      for (let tries = 1; ; tries += 1) {
        await backoff.ready(signal);
        const turn = session.send(prompt, { signal });
        for await (const message of turn) {
          // The CLI tries again by itself first, as late as the service asks it to.
          if ('retry_delay_ms' in message) backoff.hold(message.retry_delay_ms);
        }
        const { ok, kind, text, apiErrorStatus: status, durationMs } = await turn.outcome();
        result.seconds += durationMs / 1000;
        signal.throwIfAborted();
        if (ok) {
          backoff.succeed();
          const { headline, findings } = await turn.output();
          return Object.assign(end('done', headline), { findings });
        }
        if (kind === 'budget') return end('over budget', 'Stopped: the budget is spent.');
        if ((status !== 429 && status !== 529) || tries === limits.tries) return end('failed', text);
        notes.push(`The service was busy (${status}); tried again.`);
        backoff.fail();
        prompt = 'The service was busy. Go on where you stopped.';
      }
    } catch (error) {
      if (stop.aborted) return end('not finished', 'The run was told to stop.');
      if (signal.aborted) return end('failed', `Not done within ${limits.milliseconds / 1000} seconds.`);
      return end('failed', error instanceof Error ? error.message : String(error));
    } finally {
      await session.close();
      const { totalCostUsd: costUsd, usage } = session.usageReport().total;
      const read = usage.inputTokens + usage.cacheReadInputTokens + usage.cacheCreationInputTokens;
      Object.assign(result, { costUsd, tokens: read + usage.outputTokens });
      await store.execute('INSERT INTO costs VALUES (?, ?, ?)', [tenant.id, night, costUsd]);
    }
  };
  // A tenant's span is the one of its session; all of them are under this one.
  return await tracer.startActiveSpan('nightly_report', (span) =>
    Promise.all(job.tenants.map(runTenant)).finally(() => span.end()),
  );
}
