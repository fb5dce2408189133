// What the conformance suite for ledgers finds in a ledger that checks its fence and then writes, and in one without a program.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createMemoryLedger } from '@inboard/durable/ledger/memory-ledger.js';
import type { Ledger } from '@inboard/durable/ledger/ledger.js';
import { ledgerCases } from '../../src/conformance/ledger/ledger-conformance.js';

const stopped = ledgerCases().find(({ name }) => name.includes('a process that was stopped'));

it.skipIf(process.platform === 'win32')(
  'finds the write of a process that was stopped between its check and its write',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'inboard-naive-ledger-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const program = new URL(`./naive-ledger.mjs?folder=${encodeURIComponent(folder)}`, import.meta.url).href;
    const { openLedger } = (await import(/* @vite-ignore */ program)) as {
      openLedger: (folder: string) => Ledger;
    };
    await expect(stopped?.run(() => ({ ledger: openLedger(folder), program }))).rejects.toThrow(
      'the process that woke wrote something',
    );
  },
  60_000,
);

it.skipIf(process.platform === 'win32')(
  'says what a ledger needs whose process is to be stopped',
  async () => {
    await expect(stopped?.run(() => ({ ledger: createMemoryLedger() }))).rejects.toThrow(
      /"stopsProcess: false"/,
    );
  },
);
