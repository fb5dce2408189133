// The conformance suite for transports, as cases that any test runner can run.
import type { Transport } from '@inboard/core/wire/transport/transport.js';
import type { TestRunner } from './session-store-conformance.js';
import { TRANSPORT_END_CASES, LINE_CASES } from './transport-cases.js';
import { createPeer, type TransportCheck, type TransportPeer } from './transport-check.js';

/**
 * Creates a transport to the peer, without opening it. A transport with `Symbol.asyncDispose` is disposed of after its
 * case.
 */
export type ConformanceFactory = (peer: TransportPeer) => Transport | Promise<Transport>;

/** One thing a transport must do. */
export interface TransportCase {
  readonly name: string;
  /** Resolves if the transport passes. Otherwise it rejects with an AssertionError. */
  readonly run: () => Promise<void>;
}

/** All cases for a transport, for a test runner other than vitest, jest or node:test. */
export function transportCases(createTransport: ConformanceFactory): readonly TransportCase[] {
  return [...LINE_CASES, ...TRANSPORT_END_CASES].map((check) => ({
    name: check.name,
    run: () => runCheck(check, createTransport),
  }));
}

/**
 * Declares a test for every case:
 * `describeTransport('my transport', (peer) => new MyTransport(peer.args), { describe, it })`.
 */
export function describeTransport(
  name: string,
  createTransport: ConformanceFactory,
  { describe, it }: TestRunner,
): void {
  describe(name, () => {
    for (const each of transportCases(createTransport)) it(each.name, each.run);
  });
}

async function runCheck(check: TransportCheck, createTransport: ConformanceFactory): Promise<void> {
  const transport = await createTransport(createPeer(check.manner ?? 'obedient'));
  try {
    const witness = await check.run(transport);
    if (!witness) return;
    await transport.terminate();
    await witness.end();
  } finally {
    await transport.terminate({ graceMs: 0, killMs: 0 });
    await (transport as Partial<AsyncDisposable>)[Symbol.asyncDispose]?.();
  }
}
