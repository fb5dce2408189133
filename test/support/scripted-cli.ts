// One script, two stages: a child process, and both ends in memory. A test written for a `ScriptedCli`
// runs on either, so what is proved without a process holds with one.
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { WireError } from '../../src/errors.js';
import type { WireObject } from '../../src/wire/protocol/codec.js';
import { createLineSplitter } from '../../src/wire/protocol/line-splitter.js';
import type { Launch, Launched } from '../../src/live/launch.js';
import { createMemoryTransport } from '../../src/wire/transport/memory-transport.js';
import { createProcessTransport } from '../../src/wire/transport/process-transport.js';
import type { Transport } from '../../src/wire/transport/transport.js';
import { createDeferred, type Deferred } from '../../src/util/deferred.js';
import { playScript, type Stage, type StageStep, type Step } from '../fixtures/children/play-script.mjs';
import { isRunning } from './is-running.js';

/** Where a script is played. */
export type StageKind = 'memory' | 'process';
export const STAGES: readonly StageKind[] = ['memory', 'process'];

/** The CLI's path, for tests that let the project find and start it by itself. */
export const SCRIPTED_CLI = fileURLToPath(new URL('../fixtures/children/scripted-cli.mjs', import.meta.url));

// Taken before a test can move the temporary folder to see what is left in it.
const TEMPORARY = tmpdir();

/** A CLI that plays a script, and remembers. */
export interface ScriptedCli {
  readonly kind: StageKind;
  /** Hand it to the query; it serves once. */
  launch: Launch;
  /** How often it was started. */
  readonly starts: number;
  /** How often its private files were discarded. */
  readonly discards: number;
  /** The lines it got, as text. */
  lines(): string[];
  /** The lines it got, decoded. */
  received(): WireObject[];
  /** The lines it got that are requests of a subtype, without their frame. */
  requests(subtype: string): WireObject[];
  /** The answers it got, by the id of its question. */
  answer(id: string): WireObject | undefined;
  sawEnd(): boolean;
  /** SIGTERMs it ignored. */
  ignoredSignals(): number;
  grandchildren(): number[];
  /** Resolves when the script comes to a mark. */
  marked(name: string): Promise<void>;
  /** Whether the peer is gone; for a process, whether its pid is. */
  isGone(): boolean;
  /** The environment in which the real launcher plays the same script. */
  readonly env: Record<string, string>;
  dispose(): void;
}

interface RecordEntry {
  line?: string;
  ended?: true;
  signal?: string;
  grandchild?: number;
}

/** Prepares a CLI; whoever does so disposes of it. */
export function stageCli(kind: StageKind, steps: readonly Step[]): ScriptedCli {
  const folder = mkdtempSync(join(TEMPORARY, 'scripted-cli-'));
  const record = join(folder, 'record');
  const script = join(folder, 'script.json');
  writeFileSync(record, '');
  writeFileSync(script, JSON.stringify(steps));
  const env = { SCRIPTED_CLI_FILE: script, SCRIPTED_CLI_RECORD: record, PATH: process.env['PATH'] ?? '' };
  const marks = new Map<string, Deferred<void>>();
  const markOf = (name: string): Deferred<void> => {
    const known = marks.get(name) ?? createDeferred<void>();
    marks.set(name, known);
    return known;
  };
  const onStderr = (text: string): void => {
    for (const [, name = ''] of text.matchAll(/@mark (.*)\n/g)) markOf(name).resolve();
  };
  let transport: Transport | undefined;
  let isPeerOver = (): boolean => transport?.pid === undefined || !isRunning(transport.pid);
  let starts = 0;
  let discards = 0;

  const launch: Launch = ({ options, hooks, onWarning }) => {
    starts += 1;
    if (kind === 'memory') {
      const memory = playInMemory(steps, record, onStderr);
      transport = memory.transport;
      isPeerOver = memory.isOver;
    } else {
      transport = createProcessTransport({
        command: process.execPath,
        args: [SCRIPTED_CLI],
        env: { ...env },
        maxLineBytes: options.maxLineBytes,
        outputClosedMs: 20,
        onStderr: (text) => {
          onStderr(text);
          options.stderr?.(text);
        },
        onWarning: (message, cause) => onWarning(new Error(message, { cause })),
      });
    }
    return Promise.resolve<Launched>({
      transport,
      initialize: hooks === undefined ? {} : { hooks },
      version: '2.1.325',
      warnings: [],
      discard: () => {
        discards += 1;
      },
    });
  };

  const entries = (): RecordEntry[] =>
    readFileSync(record, 'utf8')
      .split('\n')
      .filter((text) => text !== '')
      .map((text) => JSON.parse(text) as RecordEntry);
  const lines = (): string[] => entries().flatMap(({ line }) => line ?? []);
  const received = (): WireObject[] => lines().map((line) => JSON.parse(line) as WireObject);

  return {
    kind,
    launch,
    env,
    get starts() {
      return starts;
    },
    get discards() {
      return discards;
    },
    lines,
    received,
    requests: (subtype) =>
      received()
        .filter(({ type }) => type === 'control_request')
        .map(({ request }) => request as WireObject)
        .filter((request) => request['subtype'] === subtype),
    answer: (id) =>
      received()
        .filter(({ type }) => type === 'control_response')
        .map(({ response }) => response as WireObject)
        .find((response) => response['request_id'] === id),
    sawEnd: () => entries().some(({ ended }) => ended),
    ignoredSignals: () => entries().filter(({ signal }) => signal !== undefined).length,
    grandchildren: () => entries().flatMap(({ grandchild }) => grandchild ?? []),
    marked: (name) => markOf(name).promise,
    isGone: () => isPeerOver(),
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The stage in memory: the peer of a memory transport that writes the same record a child would. */
function playInMemory(
  steps: readonly Step[],
  record: string,
  onStderr: (text: string) => void,
): { transport: Transport; isOver: () => boolean } {
  const { transport, peer } = createMemoryTransport({
    ignoresTerm: steps.some((step) => step.do === 'ignoreTerm'),
  });
  const note = (entry: RecordEntry): void => appendFileSync(record, `${JSON.stringify(entry)}\n`);
  const splitter = createLineSplitter({
    onLine: (line) => peer.send(line),
    onOversized: () => {
      throw new Error('Lines over the limit are dropped by the process transport; play this in a process');
    },
  });
  let stderrTail = '';
  let isOutputOpen = true;
  let isInputOpen = true;

  const perform = (step: StageStep): void | Promise<void> => {
    switch (step.do) {
      case 'exit':
      case 'kill': {
        splitter.end();
        peer.end(
          step.do === 'exit' ? { exitCode: step.code, stderrTail } : { signal: step.signal, stderrTail },
        );
        // Nothing is played after the end.
        return new Promise(() => {});
      }
      case 'closeInput':
        isInputOpen = false;
        peer.breakInput();
        return;
      case 'closeOutput': {
        isOutputOpen = false;
        // A process that stays without its output is ended by its transport after a while; here, at once.
        const error = new WireError(
          'OUTPUT_BROKEN',
          'The CLI closed its output, kept running, and was ended',
        );
        peer.end({ signal: 'SIGTERM', error, stderrTail });
        return new Promise(() => {});
      }
      case 'stderr':
        stderrTail += step.text;
        onStderr(step.text);
        return;
      case 'mark':
        onStderr(`@mark ${step.name}\n`);
        return;
      case 'pauseInput':
        peer.setFull(true);
        return;
      case 'resumeInput':
        peer.setFull(false);
        return;
      case 'breathe':
      case 'ignoreTerm':
        return;
      case 'grandchild':
        throw new Error('There are no processes in memory');
    }
  };
  const stage: Stage = {
    onLine: (listener) =>
      peer.onLine((line) => {
        note({ line });
        listener(line);
      }),
    onEnd: (listener) => {
      void peer.inputEnded.then(() => {
        if (isInputOpen && peer.isInputEnded && !peer.isOver) {
          note({ ended: true });
          listener();
        }
      });
    },
    write: (text) => {
      if (isOutputOpen) splitter.push(typeof text === 'string' ? Buffer.from(text) : Buffer.from(text));
    },
    perform,
  };
  void playScript(steps, stage);
  // One that was never opened was never started.
  return { transport, isOver: () => peer.isOver || !peer.isOpen };
}
