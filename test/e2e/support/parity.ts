// Runs a scenario on a CLI, real or fake, and writes what went over the wire as a list of events that two CLIs
// can be compared by.
import { createFakeCli, type FakeScript } from '../../../packages/inboard/src/testing.js';
import type { Cli } from './cli.js';
import { createQuery, launchCli } from './inboard.js';
import type { Options, Prompt, Query, ScriptedModelOptions } from './inboard.js';
import { onStage } from './stage.js';
import { readRest } from './talk.js';

/** A scenario: how the model and the fake are scripted, and what the host does. */
export interface ParityScenario {
  readonly model: ScriptedModelOptions;
  readonly script: FakeScript;
  readonly options?: () => Options;
  readonly prompt?: Prompt;
  readonly act?: (query: Query, kind: 'real' | 'fake', wire: EventRecorder) => Promise<void>;
  /** Both sides write without waiting for each other, so only the order in each direction means something. */
  readonly hasCrossing?: boolean;
  /** Events whose place among the others means nothing; that they come does. */
  readonly isFreeInOrder?: (event: WireEvent) => boolean;
}

/** An event: who wrote it, and what it is without ids, times and texts. */
export type WireEvent = `${'host' | 'cli'}: ${string}`;

interface Line {
  readonly [field: string]: unknown;
}

/** Plays the scenario on the real CLI. */
export async function runOnReal(scenario: ParityScenario, cli: Cli): Promise<WireEvent[]> {
  const recorder = new EventRecorder();
  await onStage(cli, scenario.model, async (stage) => {
    const { query } = stage.start(scenario.prompt ?? 'Go.', {
      ...scenario.options?.(),
      onWireLine: recorder.note,
    });
    await play(query, scenario, { kind: 'real', recorder });
  });
  return recorder.events;
}

/** Plays the scenario on a fake of the same version. */
export async function runOnFake(
  scenario: ParityScenario,
  { cli, kind }: { cli: Cli; kind: 'memory' | 'executable' },
): Promise<WireEvent[]> {
  const recorder = new EventRecorder();
  await using fake = createFakeCli(scenario.script, { version: cli.version });
  const place: Options =
    kind === 'memory'
      ? { transport: fake.transport }
      : { pathToClaudeCodeExecutable: await fake.executable(), env: { PATH: process.env['PATH'] ?? '' } };
  const query = createQuery({
    prompt: scenario.prompt ?? 'Go.',
    options: { ...scenario.options?.(), ...place, onWireLine: recorder.note, onWarning: () => {} },
    launch: launchCli,
  });
  try {
    await play(query, scenario, { kind: 'fake', recorder });
  } finally {
    await query.close();
  }
  return recorder.events;
}

async function play(
  query: Query,
  { act }: ParityScenario,
  { kind, recorder }: { kind: 'real' | 'fake'; recorder: EventRecorder },
): Promise<void> {
  const rest = readRest(query);
  await act?.(query, kind, recorder);
  await rest;
}

/** What two runs have in common: all of it, or each direction by itself. */
export function compareRuns(events: readonly WireEvent[], hasCrossing: boolean): unknown {
  if (!hasCrossing) return events;
  return { host: events.filter((event) => event.startsWith('host')), cli: callsOf(events) };
}

/**
 * The events without repeated handshakes with servers. When servers are exchanged, 2.1.33 may repeat them or not, depending
 * on when the next message comes.
 */
export function foldHandshakes(events: readonly WireEvent[]): WireEvent[] {
  const handshake = /"mcp_message" "(?:initialize|notifications\/initialized|tools\/list)"/;
  const seen = new Set<WireEvent>();
  return events.filter((event) => {
    if (!handshake.test(event)) return true;
    const isRepeated = seen.has(event);
    seen.add(event);
    return !isRepeated;
  });
}

/** What the CLI wrote. */
export function callsOf(events: readonly WireEvent[]): WireEvent[] {
  return events.filter((event) => event.startsWith('cli'));
}

/** Writes down the events of one run. */
export class EventRecorder {
  readonly events: WireEvent[] = [];
  readonly #waiting: Array<() => void> = [];
  /** What an answer is an answer to. */
  readonly #requests = new Map<unknown, string>();

  readonly note = (direction: 'in' | 'out', text: string): void => {
    const line = JSON.parse(text) as Line;
    this.events.push(`${direction === 'in' ? 'cli' : 'host'}: ${this.#describe(line)}`);
    for (const look of this.#waiting) look();
  };

  /** Resolves when so many events that contain a text have passed. */
  waitFor(text: string, count = 1): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (this.events.filter((event) => event.includes(text)).length >= count) resolve();
      };
      this.#waiting.push(look);
      look();
    });
  }

  #describe(line: Line): string {
    switch (line['type']) {
      case 'control_request': {
        const what = describeRequest(line['request'] as Line);
        this.#requests.set(line['request_id'], what);
        return `asks ${what}`;
      }
      case 'control_response': {
        const { subtype, request_id: id } = line['response'] as Line;
        return `answers ${this.#requests.get(id)} with ${String(subtype)}`;
      }
      case 'control_cancel_request':
        return `withdraws ${this.#requests.get(line['request_id'])}`;
      default:
        return describeMessage(line);
    }
  }
}

function describeRequest(request: Line): string {
  const message = request['message'] as Line | undefined;
  const input = request['input'] as Line | undefined;
  return words(
    request['subtype'],
    request['tool_name'],
    message?.['method'],
    message?.['id'],
    request['callback_id'],
    input?.['hook_event_name'],
  );
}

function describeMessage(line: Line): string {
  const { type, subtype, state } = line;
  if (type === 'assistant' || type === 'user') {
    const { content } = line['message'] as Line;
    const blocks = Array.isArray(content) ? (content as Line[]) : [{ type: 'string' }];
    return words(type, ...blocks.flatMap((block) => [block['type'], block['name'], block['is_error']]));
  }
  if (type === 'stream_event') return words(type, (line['event'] as Line)['type']);
  if (type === 'result') {
    return words(
      type,
      subtype,
      line['is_error'],
      line['num_turns'],
      line['terminal_reason'],
      line['stop_reason'],
      (line['permission_denials'] as unknown[]).length,
    );
  }
  return words(type, subtype, state);
}

function words(...parts: readonly unknown[]): string {
  return parts.flatMap((part) => (part === undefined ? [] : JSON.stringify(part))).join(' ');
}
