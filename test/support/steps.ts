// The words a scripted CLI is written in: steps, what the fake CLI of inboard/testing is to do for each, and the
// messages it sends.
import * as fake from '../../packages/inboard/src/testing.js';
import type { WireObject } from '../../packages/core/src/wire/protocol/codec.js';

/** What the CLI is to do next. */
export type Step =
  /** Waits for a line: a message type, the subtype of a control request, or a part of the line. */
  | { do: 'expect'; match: string | object; as?: string }
  /** Answers the control request that was expected last, or the one named `to`. */
  | { do: 'reply'; response?: unknown; siblings?: object; to?: string }
  | { do: 'refuse'; error: string; code?: string; to?: string }
  | { do: 'emit'; messages: object[] }
  | { do: 'raw'; text: string }
  /** Writes bytes, `chunk` at a time. */
  | { do: 'bytes'; base64: string; chunk: number }
  /** Puts a control request; `answered` waits for its answer, `cancel` withdraws it. */
  | { do: 'ask'; id: string; request: object }
  | { do: 'answered'; id: string }
  | { do: 'cancel'; id: string }
  | { do: 'awaitEnd' }
  | { do: 'ignoreEnd' }
  | { do: 'ignoreTerm' }
  /** Does nothing more, until it is ended. */
  | { do: 'hang' }
  | { do: 'exit'; code: number }
  | { do: 'kill'; signal: 'SIGKILL' | 'SIGTERM' | 'SIGSEGV' }
  | { do: 'closeInput' }
  | { do: 'closeOutput' }
  /** Stops reading, so that the pipe fills up. */
  | { do: 'pauseInput' }
  | { do: 'stderr'; text: string }
  /** Tells the test that the script has come this far. */
  | { do: 'mark'; name: string }
  /** Starts a process that outlives this one unless it is ended; done before the script begins. */
  | { do: 'grandchild' };

/** What a script needs from the test that plays it. */
export interface ScriptHost {
  /** Left out, marks are written to stderr. */
  onMark: ((name: string) => void) | undefined;
  /** The uuids of the user messages that came so far. */
  listUuids: () => unknown[];
}

type Plays = {
  [Name in Step['do']]: (step: Extract<Step, { do: Name }>, host: ScriptHost) => fake.FakeScriptItem;
};

const PLAYS: Plays = {
  expect: ({ match, as }) => fake.expectLine(match as WireObject, as),
  reply:
    ({ response, siblings, to }, { listUuids }) =>
    () =>
      fake.respond(fillUuids(response, listUuids()), { to, fields: siblings as WireObject }),
  refuse: ({ error, code, to }) => fake.refuse(error, { code, to }),
  // One write for all: whether they arrive together is up to the pipe.
  emit:
    ({ messages }, { listUuids }) =>
    () =>
      fake.raw(fillUuids(messages, listUuids()).map(toLine).join('')),
  raw: ({ text }) => fake.raw(text),
  bytes: ({ base64, chunk }) => fake.inChunks(chunk, fake.raw(Buffer.from(base64, 'base64').toString())),
  ask: ({ id, request }) => fake.raw(toLine({ type: 'control_request', request_id: id, request })),
  answered: ({ id }) => fake.expectLine({ type: 'control_response', response: { request_id: id } }),
  cancel: ({ id }) => fake.raw(toLine({ type: 'control_cancel_request', request_id: id })),
  awaitEnd: () => fake.expectEnd(),
  ignoreEnd: () => fake.ignore('end of input'),
  ignoreTerm: () => fake.ignore('SIGTERM'),
  hang: () => fake.stall(),
  exit: ({ code }) => fake.crash({ code }),
  kill: ({ signal }) => fake.crash({ signal }),
  closeInput: () => fake.closeInput(),
  closeOutput: () => fake.closeOutput(),
  pauseInput: () => fake.stopReading(),
  stderr: ({ text }) => fake.stderr(text),
  mark: ({ name }, { onMark }) => (onMark ? () => onMark(name) : fake.stderr(`@mark ${name}\n`)),
  grandchild: () => [],
};

/** The same steps in the words of inboard/testing, for a fake that is played by hand. */
export function toFakeScript(steps: readonly Step[], host: ScriptHost): fake.FakeScriptItem[] {
  return steps.map((step) =>
    (PLAYS[step.do] as (...args: [Step, ScriptHost]) => fake.FakeScriptItem)(step, host),
  );
}

const toLine = (message: unknown): string => `${JSON.stringify(message)}\n`;

// "$uuid:1" stands for the uuid of the second user message.
function fillUuids<T>(value: T, uuids: readonly unknown[]): T {
  if (value === undefined) return value;
  const fill = (_: string, part: unknown): unknown =>
    typeof part === 'string' && part.startsWith('$uuid:') ? uuids[Number(part.slice('$uuid:'.length))] : part;
  return JSON.parse(JSON.stringify(value, fill)) as T;
}

/** The session of every fake. A UUID, as records accept no other id. */
export const SESSION_ID = '5e551011-0000-4000-8000-000000000001';
const SESSION = { session_id: SESSION_ID };

/** What a CLI answers to the handshake, as far as anybody looks at it. */
export const INITIALIZE_REPLY = {
  commands: [{ name: 'help', description: 'Help', argumentHint: '' }],
  agents: [{ name: 'Explore', description: 'Looks around' }],
  output_style: 'default',
  available_output_styles: ['default'],
  models: [{ value: 'default', displayName: 'Default', description: 'The default' }],
  account: { tokenSource: 'none' },
  hook_on_failure_supported: true,
};

export const expectLine = (match: string | object, as?: string): Step => ({ do: 'expect', match, as });
export const reply = (response?: unknown, to?: string): Step => ({ do: 'reply', response, to });
export const refuse = (error: string, code?: string): Step => ({ do: 'refuse', error, code });
export const emit = (...messages: object[]): Step => ({ do: 'emit', messages });
export const ask = (id: string, request: object): Step => ({ do: 'ask', id, request });
export const answered = (id: string): Step => ({ do: 'answered', id });
export const mark = (name: string): Step => ({ do: 'mark', name });
export const exit = (code: number): Step => ({ do: 'exit', code });
export const AWAIT_END: Step = { do: 'awaitEnd' };
export const HANG: Step = { do: 'hang' };

/** Takes the handshake and answers it. */
export const handshake = (more: object = {}): Step[] => [
  expectLine('initialize'),
  reply({ ...INITIALIZE_REPLY, ...more }, 'initialize'),
];

export const init = (): object => ({
  type: 'system',
  subtype: 'init',
  model: 'scripted',
  tools: [],
  ...SESSION,
});
export const state = (value: 'idle' | 'running' | 'requires_action', more: object = {}): object => ({
  type: 'system',
  subtype: 'session_state_changed',
  state: value,
  sdk_host_only: true,
  ...SESSION,
  ...more,
});
export const assistant = (text: string): object => ({
  type: 'assistant',
  message: { role: 'assistant', content: [{ type: 'text', text }] },
  parent_tool_use_id: null,
  ...SESSION,
});
export const result = (more: object = {}): object => ({
  type: 'result',
  subtype: 'success',
  is_error: false,
  result: 'done',
  num_turns: 1,
  ...SESSION,
  ...more,
});
export const badResult = (more: object = {}): object =>
  result({ is_error: true, result: 'API Error: 400', terminal_reason: 'api_error', ...more });
export const lifecycle = (uuid: string, value: string): object => ({
  type: 'command_lifecycle',
  command_uuid: uuid,
  state: value,
  ...SESSION,
});

/** A turn as a CLI that reports its state plays it, from the user line to idle. */
export const turn = (text = 'hello', more: object = {}): Step[] => [
  expectLine('user'),
  emit(state('running'), init(), assistant(text)),
  emit(result(more)),
  emit(state('idle')),
];

/** A turn as a CLI that reports nothing plays it. */
export const oldTurn = (text = 'hello'): Step[] => [
  expectLine('user'),
  emit(init(), assistant(text), result()),
];

export const canUseTool = (more: object = {}): object => ({
  subtype: 'can_use_tool',
  tool_name: 'Bash',
  input: { command: 'ls' },
  tool_use_id: 'toolu_1',
  ...more,
});
export const hookCallback = (more: object = {}): object => ({
  subtype: 'hook_callback',
  callback_id: 'hook_0',
  input: { hook_event_name: 'PreToolUse', tool_name: 'Bash' },
  tool_use_id: 'toolu_1',
  ...more,
});
