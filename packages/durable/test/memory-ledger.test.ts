// The ledger in memory keeps the contract of ledgers.
import { describe, it } from 'vitest';
import { describeLedger } from '../../testing/src/conformance/ledger/ledger-conformance.js';
import { createMemoryLedger } from '../src/ledger/memory-ledger.js';

describeLedger(
  'the ledger in memory',
  () => ({ ledger: createMemoryLedger() }),
  { describe, it },
  { stopsProcess: false },
);
