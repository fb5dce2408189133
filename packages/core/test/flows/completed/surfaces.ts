// Every place that shows calls, as one table: what each shows of the calls of a run. A new surface is one row.
import { SpanStatusCode } from '@opentelemetry/api';
import { MessageUpdates } from '@inboard/acp/updates/message-updates.js';
import { toUiMessages, toUiStream } from '@inboard/inboard/ui.js';
import { SessionModel } from '@inboard/inspector/model/session-model.js';
import { listToolEntries } from '@inboard/inspector/model/tools/list-entries.js';
import type { CallItem, StoryItem } from '@inboard/inspector/model/story/story-item.js';
import type { NumberedEvent, InspectorEvent } from '@inboard/inspector/stream/inspector-event.js';
import { traceOf } from '../../../src/record/trace/read-trace.js';
import { renderTimelineMermaid } from '../../../src/record/trace/render/render-mermaid.js';
import { renderTimelineText } from '../../../src/record/trace/render/render-text.js';
import { buildTimeline } from '../../../src/record/trace/timeline/timeline.js';
import { MessageParts } from '@inboard/ui/history/message-parts.js';
import type { UiPart, UiToolPart } from '@inboard/ui/history/ui-message.js';
import type { UiChunk } from '@inboard/ui/stream/ui-chunk.js';
import type { CompletedCall, CompletionKind } from '../../../src/wire/protocol/messages/completed-call.js';
import type { SDKMessage } from '../../../src/wire/protocol/messages/messages.js';
import { readChunks } from '../../../../ui/test/chunks.js';
import { CALLING, CALLS, type CompletedRun } from './completed-run.js';

/** A call, as a surface shows it. */
export interface Shown {
  id: string;
  /** In the words of the surface. */
  state: string;
  /** How it was completed, where the surface tells that. */
  how?: string | undefined;
  by?: string | undefined;
  isEdited?: boolean | undefined;
}

/** One place that shows calls. */
export interface Surface {
  name: string;
  read: (run: CompletedRun) => Shown[] | Promise<Shown[]>;
  /** What it calls each state. */
  states: Readonly<Record<CompletionKind, string>>;
  /** What it tells besides the state; everything where it says nothing. */
  tells?: readonly (keyof Shown)[];
  /** Whether it shows a call whose result could not be delivered, and how. */
  left?: string;
}

const SAME: Surface['states'] = {
  recorded: 'recorded',
  ran: 'ran',
  denied: 'denied',
  notRun: 'notRun',
  unknown: 'unknown',
};
const ENDED: Surface['states'] = {
  recorded: 'done',
  ran: 'done',
  denied: 'denied',
  notRun: 'cut',
  unknown: 'cut',
};
const ERROR: Surface['states'] = {
  recorded: 'ok',
  ran: 'ok',
  denied: 'error',
  notRun: 'error',
  unknown: 'error',
};

const TOLD = ({ toolUseId: id, how, by, ranInput }: CompletedCall): Shown => ({
  id,
  state: how,
  how,
  by,
  isEdited: ranInput !== undefined,
});

function ofMessages(messages: readonly SDKMessage[]): Shown[] {
  return messages.flatMap((message) => {
    if (message.type !== 'user' || !Array.isArray(message.message.content)) return [];
    return message.message.content.flatMap((block) => {
      if (block.type !== 'tool_result') return [];
      const { completed, isSynthetic, session_id: session, uuid } = message;
      const isWhole = isSynthetic === true && uuid !== undefined && (session ?? '') !== '';
      const shown = completed ? TOLD(completed) : { id: block.tool_use_id, state: 'unmarked' };
      return [{ ...shown, state: !isWhole ? 'not whole' : block.is_error === true ? 'error' : 'ok' }];
    });
  });
}

/** The events of a trace as the page of a recording has them. */
function numbered(events: readonly InspectorEvent[]): NumberedEvent[] {
  return events.map((event, index) => ({ n: index + 1, s: 's1', event }));
}

/** The same, after a CLI whose calls were seen and that then died. */
function seenBefore(events: readonly InspectorEvent[]): InspectorEvent[] {
  const frames = CALLING.map((frame, index) => ({
    type: 'frame' as const,
    t: index,
    dir: 'in' as const,
    frame,
  }));
  const [header] = events.filter(({ type }) => type === 'header');
  const end = { type: 'end', t: 20, exitCode: null, signal: 'SIGKILL', stderrTail: '', frames: 9 };
  return [header, ...frames, end, ...events] as InspectorEvent[];
}

function modelOf(events: readonly NumberedEvent[]): SessionModel {
  const model = new SessionModel('s1');
  for (const event of events) model.push(event);
  return model;
}

function storyOf(events: readonly NumberedEvent[]): Shown[] {
  const listCalls = (items: readonly StoryItem[]): CallItem[] =>
    items.flatMap((item) => (item.kind === 'call' ? [item, ...listCalls(item.children)] : []));
  return listCalls(modelOf(events).story.items).map(({ toolUseId: id, state, completed }) => ({
    ...(completed ? TOLD(completed) : {}),
    id,
    state,
  }));
}

function toolsOf(events: readonly NumberedEvent[]): Shown[] {
  const { servers, cliTools } = modelOf(events).tools.read(listToolEntries);
  return [...servers.flatMap(({ tools }) => tools), ...cliTools].flatMap(({ calls }) =>
    calls.map(({ toolUseId: id, state, completed: how }) => ({ id, state, how })),
  );
}

function wireOf(events: readonly NumberedEvent[]): Shown[] {
  const { wire } = modelOf(events);
  return events.flatMap(({ n }) => {
    const row = wire.at(n);
    return row?.event === 'completed' ? [readSummary(row.summary, row.ids[0] ?? '')] : [];
  });
}

/** What a line of text says. */
function readSummary(summary: string, id: string): Shown {
  const words: Readonly<Record<string, CompletionKind>> = {
    'its recorded result was delivered': 'recorded',
    'it ran': 'ran',
    'it was denied': 'denied',
    'it did not run': 'notRun',
    'its outcome is unknown': 'unknown',
  };
  const [said] = Object.keys(words).filter((each) => summary.includes(each));
  const how = words[said ?? ''];
  const [, by] = / by (\w+)/.exec(summary) ?? [];
  return { id, state: how ?? 'not told', how, by, isEdited: summary.includes('edited') };
}

function linesOf(text: string): Shown[] {
  return text
    .split('\n')
    .filter((line) => / completed /.test(line))
    .map((line) => {
      const place = CALLS.findIndex(({ id }) => line.includes(id.slice(-8)) || line.includes(id));
      return readSummary(line, CALLS[place]?.id ?? line);
    });
}

async function chunksOf(messages: readonly SDKMessage[]): Promise<UiChunk[]> {
  async function* play(): AsyncGenerator<SDKMessage> {
    yield* messages;
  }
  return await readChunks(toUiStream(play()));
}

const FINAL_CHUNKS: Readonly<Record<string, string>> = {
  'tool-output-available': 'output-available',
  'tool-output-error': 'output-error',
  'tool-output-denied': 'output-denied',
};

/** The last words of calls, each as often as it was said. */
function finalChunks(chunks: readonly UiChunk[]): Shown[] {
  return chunks.flatMap((chunk) => {
    const state = FINAL_CHUNKS[chunk.type];
    if (state === undefined || !('toolCallId' in chunk)) return [];
    const begun = chunks.flatMap((each) =>
      each.type === 'tool-input-available' && each.toolCallId === chunk.toolCallId
        ? [
            each.providerMetadata?.['inboard']?.['completed'] as
              { how: string; by?: string; isEdited?: true } | undefined,
          ]
        : [],
    );
    const told = begun.at(-1);
    return [{ id: chunk.toolCallId, state, how: told?.how, by: told?.by, isEdited: told?.isEdited === true }];
  });
}

function partsOf(parts: readonly UiPart[]): Shown[] {
  return parts
    .filter((part): part is UiToolPart => part.type === 'dynamic-tool')
    .map(({ toolCallId: id, state }) => ({ id, state }));
}

function updatesOf(messages: readonly SDKMessage[]): Shown[] {
  const updates = new MessageUpdates({ cwd: '/work', listCosts: () => [] });
  return messages
    .flatMap((message) => updates.take(message))
    .flatMap((update) => {
      if (update.sessionUpdate !== 'tool_call_update') return [];
      const { toolCallId: id, status, _meta: meta, rawInput } = update;
      if (status !== 'completed' && status !== 'failed') return [];
      const { how, by } = (meta?.['inboard/completed'] ?? {}) as { how?: string; by?: string };
      return [{ id, state: status, how, by, isEdited: rawInput !== undefined }];
    });
}

const UI: Surface['states'] = {
  recorded: 'output-available',
  ran: 'output-available',
  denied: 'output-denied',
  notRun: 'output-error',
  unknown: 'output-error',
};
const HISTORY: Surface['states'] = { ...UI, denied: 'output-error' };
const ACP: Surface['states'] = {
  recorded: 'completed',
  ran: 'completed',
  denied: 'failed',
  notRun: 'failed',
  unknown: 'failed',
};

/** The table. */
export const SURFACES: readonly Surface[] = [
  {
    name: 'the outcome of the turn',
    read: ({ outcome }) => outcome.map(TOLD),
    states: SAME,
    left: 'unknown',
  },
  {
    name: 'the event of the session',
    read: ({ events }) =>
      events.flatMap((event) => (event.type === 'completed' ? event.calls.map(TOLD) : [])),
    states: SAME,
    left: 'unknown',
  },
  { name: 'the messages of the turn', read: ({ turnMessages }) => ofMessages(turnMessages), states: ERROR },
  {
    name: 'the messages of the session',
    read: ({ sessionMessages }) => ofMessages(sessionMessages),
    states: ERROR,
  },
  {
    name: 'the trace',
    read: ({ trace }) =>
      trace.flatMap((event) =>
        event.type === 'completed' ? [TOLD(event.frame?.['completed'] as CompletedCall)] : [],
      ),
    states: SAME,
    left: 'unknown',
  },
  {
    name: 'the timeline',
    read: ({ trace }) =>
      buildTimeline(traceOf(trace))
        .rows.filter(({ event }) => event === 'completed')
        .map(({ summary, id }) => readSummary(summary, id ?? '')),
    states: SAME,
    left: 'unknown',
  },
  {
    name: 'the timeline as text',
    read: ({ trace }) => linesOf(renderTimelineText(buildTimeline(traceOf(trace)), { width: 300 })),
    states: SAME,
    left: 'unknown',
  },
  {
    name: 'the timeline as a diagram',
    read: ({ trace }) =>
      renderTimelineMermaid(buildTimeline(traceOf(trace)))
        .split('\n')
        .filter((line) => / completed /.test(line))
        .map((line, index) => readSummary(line, CALLS[index]?.id ?? '')),
    states: SAME,
    tells: ['how'],
    left: 'unknown',
  },
  {
    name: 'the spans',
    read: ({ spans }) =>
      spans.spans.flatMap(({ attributes: of, status }) =>
        typeof of['gen_ai.tool.call.id'] === 'string' && of['gen_ai.operation.name'] === 'execute_tool'
          ? [
              {
                id: of['gen_ai.tool.call.id'],
                state: status.code === SpanStatusCode.ERROR ? String(of['error.type']) : 'ok',
                how: of['inboard.tool.completed'] as string | undefined,
                by: of['inboard.tool.completed.by'] as string | undefined,
                isEdited: of['inboard.tool.completed.edited'] === true,
              },
            ]
          : [],
      ),
    states: { recorded: 'ok', ran: 'ok', denied: 'tool_error', notRun: 'tool_error', unknown: 'tool_error' },
    left: 'outcome_unknown',
  },
  ...(
    [
      ['of a live session', ({ inspected }: CompletedRun) => inspected],
      ['of a recording', ({ trace }: CompletedRun) => numbered(trace)],
      [
        'of a recording whose first CLI made the calls',
        ({ trace }: CompletedRun) => numbered(seenBefore(trace)),
      ],
      [
        'of a journal',
        ({ turnMessages }: CompletedRun) =>
          numbered(turnMessages.map((frame) => ({ type: 'frame', t: 1, dir: 'in', frame }) as never)),
      ],
    ] as const
  ).flatMap(([where, eventsOf]): Surface[] => {
    const left = where === 'of a journal' ? {} : { left: 'cut' };
    return [
      { name: `the story ${where}`, read: (run) => storyOf(eventsOf(run)), states: ENDED, ...left },
      {
        name: `the tools ${where}`,
        read: (run) => toolsOf(eventsOf(run)),
        states: ENDED,
        tells: ['how'],
        ...left,
      },
      {
        name: `the wire ${where}`,
        read: (run) => wireOf(eventsOf(run)),
        states: SAME,
        ...('left' in left && { left: 'unknown' }),
      },
    ];
  }),
  {
    name: 'the chunks of a turn that goes on in another process',
    read: async ({ turnMessages }) => finalChunks(await chunksOf(turnMessages)),
    states: UI,
  },
  {
    name: 'the chunks of a turn whose calls were streamed before',
    read: async ({ turnMessages }) => finalChunks(await chunksOf([...CALLING, ...turnMessages])),
    states: UI,
    left: 'output-error',
  },
  {
    name: 'the parts that a page makes of the chunks',
    read: async ({ turnMessages }) => {
      const parts = new MessageParts();
      for (const chunk of await chunksOf([...CALLING, ...turnMessages])) parts.take(chunk);
      return partsOf(parts.parts);
    },
    states: UI,
    tells: [],
    left: 'output-error',
  },
  {
    name: 'the history for a page',
    read: ({ history }) => toUiMessages(history).flatMap(({ parts }) => partsOf(parts)),
    states: HISTORY,
    tells: [],
    left: 'input-available',
  },
  { name: 'the updates for an editor', read: ({ turnMessages }) => updatesOf(turnMessages), states: ACP },
  {
    name: 'the updates for an editor that knows the calls',
    read: ({ turnMessages }) => updatesOf([...CALLING, ...turnMessages]),
    states: ACP,
  },
];
