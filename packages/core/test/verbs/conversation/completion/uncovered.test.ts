// Transcripts of others: of the bare CLI, of the official SDK, of a version that recorded nothing. Their calls may have run, so we must
// not say that they did not, nor run them: nothing is written, and the CLI says what it always did.
import { describe, expect, it } from 'vitest';
import { createSdkMcpServer } from '../../../../src/answer/mcp/server/create-sdk-mcp-server.js';
import { tool } from '../../../../src/answer/mcp/tool/tool.js';
import { WarningReporter } from '../../../../src/options/check/warning-reporter.js';
import type { Options } from '../../../../src/options/options.js';
import { InMemorySessionStore } from '../../../../src/record/history/store/in-memory-session-store.js';
import { CallCompletion } from '../../../../src/verbs/conversation/completion/call-completion.js';
import { Patience } from '../../../../src/verbs/conversation/completion/patience.js';
import { PermissionChanges } from '../../../../src/verbs/conversation/completion/permission-changes.js';
import { findTranscriptPlace } from '../../../../src/verbs/conversation/completion/transcript-place.js';
import { RecordedCalls } from '../../../../src/verbs/conversation/completion/recorded-calls.js';
import type { CallFact } from '../../../../src/wire/protocol/config/call-records.js';
import type { SessionStoreEntry } from '../../../../src/wire/protocol/config/session-store.js';
import {
  readRecording,
  RECORDINGS,
  sessionOf,
  VERSIONS,
} from '../../../calls/transcript/support/transcripts.js';

/** The entries may say which program wrote the transcript. */
const WRITERS: Record<string, (entries: SessionStoreEntry[]) => SessionStoreEntry[]> = {
  'the bare CLI': (entries) => entries.map((entry) => ({ ...entry, entrypoint: 'cli' })),
  'the official SDK': (entries) => entries.map((entry) => ({ ...entry, entrypoint: 'sdk-ts' })),
  'a version before': (entries) => entries.map((entry) => ({ ...entry, entrypoint: undefined })),
};

/** What is there of records: none, or those of another turn, from when the session was in other hands. */
const RECORDS: Record<string, CallFact[]> = {
  'no records': [],
  'records of another turn': [
    { type: 'covers', message: '00000000-0000-4000-8000-00000000aaaa', at: 1 },
    {
      type: 'ended',
      callKey: 'another call',
      result: { content: [{ type: 'text', text: 'paid' }] },
      at: 2,
    },
  ],
};

async function complete(entries: SessionStoreEntry[], facts: CallFact[], cliVersion: string | undefined) {
  const sessionId = sessionOf(entries);
  const key = { projectKey: 'others', sessionId };
  const store = new InMemorySessionStore();
  await store.append(key, entries);
  const before = await store.load(key);
  const records = store.calls(key);
  for (const fact of facts) await records.add(fact);
  const ran: string[] = [];
  const sell = (name: string) =>
    tool({
      name,
      description: name,
      inputSchema: { order: 'string' },
      // Not even if the tool may run again, because it is unknown whether the call had been allowed.
      onRepeat: 'run',
      run: ({ order }) => void ran.push(order),
    });
  const asked: string[] = [];
  const options: Options = {
    sessionStore: store,
    projectKey: key.projectKey,
    mcpServers: { shop: createSdkMcpServer({ name: 'shop', tools: [sell('refund'), sell('find')] }) },
    canUseTool: async (name, input) => {
      asked.push(name);
      return { behavior: 'allow', updatedInput: input };
    },
  };
  const recorder = new RecordedCalls({
    records,
    owner: 'this process',
    identify: () => ({ callKey: 'key', attempt: 1 }),
    onFailure: () => {},
  });
  const warnings = new WarningReporter(options);
  const completion = new CallCompletion({
    sessionId,
    options,
    warnings,
    patience: new Patience(),
    changes: new PermissionChanges({ options, warnings, onMode: () => {} }),
    onHooksMissed: () => {},
    records,
    recorder,
    owner: 'this process',
    place: findTranscriptPlace({ sessionId, options, cliVersion }),
  });
  try {
    const completed = await completion.run();
    return { ...completed, ran, asked, isUntouched: isSame(await store.load(key), before) };
  } finally {
    completion.close(new Error('over'));
  }
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

describe.each(VERSIONS)('a transcript of %s', (version) => {
  describe.each(Object.entries(WRITERS))('by %s', (_writer, write) => {
    it.each(
      RECORDINGS.flatMap((recording) => Object.keys(RECORDS).map((records) => ({ recording, records }))),
    )('"$recording" with $records', async ({ recording, records }) => {
      for (const cliVersion of [version, undefined]) {
        const entries = write(readRecording(version, recording));
        const { calls, written, ran, asked, isUntouched } = await complete(
          entries,
          RECORDS[records] ?? [],
          cliVersion,
        );
        expect(calls.length).toBeGreaterThan(0);
        for (const call of calls)
          expect(call).toMatchObject({
            how: 'unknown',
            delivered: false,
            reason: 'No record covers its turn.',
          });
        expect({ written, ran, asked, isUntouched }).toEqual({
          written: [],
          ran: [],
          asked: [],
          isUntouched: true,
        });
      }
    });
  });
});
