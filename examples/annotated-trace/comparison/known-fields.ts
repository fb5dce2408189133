// The differences in the content of frames that are understood. As with rows, each reason asks the recording for its evidence.
import type { FieldDifference } from './payloads.ts';
import type { Run } from '../src/record-run.ts';

export interface KnownField {
  title: string;
  why: string;
  holds: (field: Omit<FieldDifference, 'reason'>, run: Run) => boolean;
}

const CAPTURED_WITH = '2.1.33';
const TOOL = 'mcp__demo_tools__greet';
const isOf = (run: Run, version: string): boolean => run.title.split(' ')[0] === version;
/** The id of the one call, in each of the four places that the document lists, and in the answer to the permission request. */
const CALL_ID =
  /"(?:toolUseID|tool_use_id|claudecode\/toolUseId)":"([^"]+)"|"type":"tool_use","id":"([^"]+)"/g;

/** Whether the call has one and the same id wherever the recording has it. */
function isOneCall({ timeline }: Run): boolean {
  const found = [...JSON.stringify(timeline.rows.map(({ frame }) => frame)).matchAll(CALL_ID)];
  return found.length >= 4 && new Set(found.map(([, one, other]) => one ?? other)).size === 1;
}

export const KNOWN_FIELDS: readonly KnownField[] = [
  {
    title: 'An id is made anew for every run.',
    why: 'The id of the call is the same in all four places that the document names: the block, its result, the permission request and the _meta of tools/call.',
    holds: ({ path, document, ours }, run) =>
      /(?:request_id|session_id|tool_use_id|toolUseId|content\.0\.id)$/.test(path) &&
      typeof document === typeof ours &&
      isOneCall(run),
  },
  {
    title: 'Measured, not fixed.',
    why: 'Times, tokens and what they cost belong to a run.',
    holds: ({ path, document, ours }) =>
      /^(?:duration\w*_ms|total_cost_usd|usage\.\w+_tokens)$/.test(path) &&
      [document, ours].every((value) => typeof value === 'number'),
  },
  {
    title: 'The place where it ran.',
    why: 'The folder in which the CLI was started.',
    holds: ({ path, ours }, run) =>
      path === 'cwd' && run.timeline.rows.some(({ frame }) => frame?.['cwd'] === ours),
  },
  {
    title: 'The words of the model.',
    why: 'What it says at the end is its own; the result repeats it.',
    holds: ({ where, path, ours }) =>
      where === 'message assistant' && path === 'message.content.0.text' && String(ours).length > 0,
  },
  {
    title: 'The tools of the CLI itself.',
    why: 'Which of them are there depends on its version and on how it is started: without a terminal, 2.1.33 has TodoWrite in place of the four Task tools. The tool of this server is there under its full name.',
    holds: ({ path }, run) =>
      path.startsWith('tools[') &&
      path !== `tools[${TOOL}]` &&
      run.timeline.rows.some(({ frame }) => (frame?.['tools'] as string[] | undefined)?.includes(TOOL)),
  },
  {
    title: 'The CLI and its model are newer.',
    why: 'Another version, and the model that "haiku" means to it.',
    holds: ({ path, ours }, run) =>
      !isOf(run, CAPTURED_WITH) &&
      (/^(?:message\.)?model$/.test(path) || (path.endsWith('ersion') && isOf(run, String(ours)))),
  },
  {
    title: 'The version of MCP that was asked for.',
    why: "Inboard's server agrees to the version that the CLI asks for; that of the document has one answer for all.",
    holds: ({ path, ours }, run) =>
      path === 'result.protocolVersion' &&
      run.timeline.rows.some(
        ({ event, frame }) =>
          event === 'initialize' && JSON.stringify(frame).includes(`"protocolVersion":"${String(ours)}"`),
      ),
  },
  {
    title: 'Inboard says more of its server and its tools.',
    why: 'That the list of tools may change while a session runs, the dialect of their schemas, that no tool is a task, and that the model sees the tool from the start.',
    holds: ({ where, path }) =>
      (where === 'mcp initialize answer' && /^result\.capabilities\.tools(?:\.listChanged)?$/.test(path)) ||
      (where === 'mcp tools/list answer' && /\.(?:\$schema|taskSupport|anthropic\/alwaysLoad)$/.test(path)),
  },
  {
    title: 'An acknowledgement has an id, and an answer names its call.',
    why: 'A notification has no id that one could answer, so the acknowledgement has 0. The answer to the permission request repeats the id of the call. The CLI goes by the envelope in both cases.',
    holds: ({ where, path, document }) =>
      document === undefined &&
      ((where === 'mcp notifications/initialized answer' && path === 'id') ||
        (where === 'control can_use_tool answer' && path === 'response.response.toolUseID')),
  },
  {
    title: 'A newer CLI says more of a request.',
    why: 'Fields that the captured version did not have. None of those it had is missing.',
    holds: ({ where, path, document }, run) =>
      /^(?:control can_use_tool|envelope of a request|mcp)/.test(where) &&
      document === undefined &&
      path.startsWith('request.') &&
      !isOf(run, CAPTURED_WITH),
  },
  {
    title: 'The document shows a part of the message.',
    why: 'What the Python SDK gives to a program has fewer fields than the frame that the CLI wrote.',
    holds: ({ where, document }) => where.startsWith('message ') && document === undefined,
  },
];

export const explainField: (field: Omit<FieldDifference, 'reason'>, run: Run) => KnownField | undefined = (
  field,
  run,
) => KNOWN_FIELDS.find(({ holds }) => holds(field, run));
