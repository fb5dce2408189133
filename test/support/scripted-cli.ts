// One script, two stages: the fake CLI of inboard/testing, played by hand in memory and as a child process. A test
// written for a `ScriptedCli` runs on either, so what is proved without a process holds with one.
import { fileURLToPath } from 'node:url';
import { createFakeCli, type FakeCliSession } from '../../packages/inboard/src/testing.js';
import type { Launch } from '../../packages/core/src/live/launch.js';
import { createDeferred, type Deferred } from '../../packages/core/src/util/deferred.js';
import type { WireObject } from '../../packages/core/src/wire/protocol/codec.js';
import { createProcessTransport } from '../../packages/core/src/wire/transport/process-transport.js';
import type { Transport } from '../../packages/core/src/wire/transport/transport.js';
import { isRunning } from './is-running.js';
import { toFakeScript, type Step } from './steps.js';

/** Where a script is played. */
export type StageKind = 'memory' | 'process';
export const STAGES: readonly StageKind[] = ['memory', 'process'];

const VERSION = '2.1.325';
const ENVIRONMENT = { PATH: process.env['PATH'] ?? '' };
const WITH_GRANDCHILD = fileURLToPath(new URL('../fixtures/children/with-grandchild.mjs', import.meta.url));

/** A CLI that plays a script, and remembers. */
export interface ScriptedCli {
  /** Hand it to the query; it serves once. */
  launch: Launch;
  /** How often it was started. */
  readonly starts: number;
  /** How often its private files were discarded. */
  readonly discards: number;
  /** Its run; undefined before it runs. */
  readonly run: FakeCliSession | undefined;
  /** The lines it got, as text. */
  lines(): string[];
  /** The lines it got, decoded. */
  received(): WireObject[];
  /** The lines it got that are requests of a subtype, without their frame. */
  requests(subtype: string): WireObject[];
  /** The answers it got, by the id of its question. */
  answer(id: string): WireObject | undefined;
  sawEnd(): boolean;
  grandchildren(): number[];
  /** Resolves when the script comes to a mark. */
  marked(name: string): Promise<void>;
  /** Whether the peer is gone; for a process, whether its pid is. */
  isGone(): boolean;
  /** The path of a program that plays the same script, for tests that let the project start it by itself. */
  executable(): Promise<string>;
  dispose(): Promise<void>;
}

/** Prepares a CLI. The caller disposes of it. */
export function stageCli(kind: StageKind, steps: readonly Step[], version = VERSION): ScriptedCli {
  const marks = new Map<string, Deferred<void>>();
  const markOf = (name: string): Deferred<void> => {
    const known = marks.get(name) ?? createDeferred<void>();
    marks.set(name, known);
    return known;
  };
  const grandchildren: number[] = [];
  const onStderr = (text: string): void => {
    for (const [, name = ''] of text.matchAll(/@mark (.*)\n/g)) markOf(name).resolve();
    for (const [, pid] of text.matchAll(/@grandchild (.*)\n/g)) grandchildren.push(Number(pid));
  };
  const isHostLine = ({ from }: { from: string }): boolean => from === 'host';
  const script = toFakeScript(steps, {
    // The order of marks and what a process does to its pipes is known to that process alone.
    onMark: kind === 'memory' ? (name) => markOf(name).resolve() : undefined,
    listUuids: () => received().flatMap(({ type, uuid }) => (type === 'user' ? [uuid] : [])),
  });
  const fake = createFakeCli(script, { byHand: true, version });
  let transport: Transport | undefined;
  let starts = 0;
  let discards = 0;

  const launch: Launch = async ({ options, onWarning }) => {
    if (kind === 'memory') {
      transport = fake.transport({ args: [], env: {}, cwd: '/' }) as Transport;
    } else {
      const path = await fake.executable();
      transport = createProcessTransport({
        command: process.execPath,
        args: steps.some((step) => step.do === 'grandchild') ? [WITH_GRANDCHILD, path] : [path],
        env: ENVIRONMENT,
        maxLineBytes: options.maxLineBytes,
        // Only where it stays on purpose: on a busy machine its output ends well before its exit is told.
        outputClosedMs: steps.some((step) => step.do === 'closeOutput') ? 20 : undefined,
        onStderr: (text) => {
          onStderr(text);
          options.stderr?.(text);
        },
        onWarning: (message, cause) => onWarning(new Error(message, { cause })),
      });
    }
    starts += 1;
    return {
      transport,
      initialize: {},
      version,
      warnings: [],
      discard: () => {
        discards += 1;
      },
    };
  };

  const received = (): WireObject[] =>
    fake.log.filter(isHostLine).map(({ line }) => JSON.parse(line) as WireObject);

  return {
    launch,
    get starts() {
      return starts;
    },
    get discards() {
      return discards;
    },
    get run() {
      return fake.sessions[0];
    },
    lines: () => fake.log.filter(isHostLine).map(({ line }) => line),
    received,
    requests: (subtype) =>
      fake.requests.filter((request) => request.subtype === subtype).map(({ request }) => request),
    answer: (id) =>
      received()
        .filter(({ type }) => type === 'control_response')
        .map(({ response }) => response as WireObject)
        .find((response) => response['request_id'] === id),
    sawEnd: () => fake.sessions[0]?.isInputEnded ?? false,
    grandchildren: () => grandchildren,
    marked: (name) => markOf(name).promise,
    isGone: () =>
      kind === 'memory'
        ? (fake.sessions[0]?.isOver ?? true)
        : transport?.pid === undefined || !isRunning(transport.pid),
    executable: () => fake.executable(),
    dispose: () => fake.close({ verify: false }),
  };
}
