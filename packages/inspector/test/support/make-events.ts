// Numbered events for tests: a recorded session read from its file, one as a live source tells it, and long ones of any length.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { NumberedEvent, InspectorEvent } from '../../src/stream/inspector-event.js';
import type { Question } from '../../src/stream/question.js';
import { numberOfLine, OPENING_NUMBER, openRecording } from '../../src/stream/recording.js';
import type { TraceHeader } from '@inboard/core/record/trace/trace-event.js';
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';

/** The path of a recorded session, as in `story`. */
export function fixturePath(name: string): string {
  return fileURLToPath(new URL(`../../../../test/fixtures/inspector/${name}.jsonl`, import.meta.url));
}

/** The events of a recorded session, numbered as the server numbers them: one opens it, then each line has its own. */
export function readFixture(name: string, session = name): NumberedEvent[] {
  const lines = readFileSync(fixturePath(name), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line, index) => ({
      n: numberOfLine(index + 1),
      s: session,
      event: JSON.parse(line) as InspectorEvent,
    }));
  const opening = openRecording(lines[0]?.event as TraceHeader);
  return [{ n: OPENING_NUMBER, s: session, event: opening }, ...lines];
}

/** Writes a session event by event; time goes on by what each method is told, or by one millisecond. */
export class EventMaker {
  readonly events: NumberedEvent[] = [];
  readonly session: string;
  t = 0;
  #made = 0;

  constructor(session = 's1') {
    this.session = session;
  }

  /** Lets time pass. */
  wait(ms: number): this {
    this.t += ms;
    return this;
  }

  push(event: InspectorEvent): this {
    this.events.push({ n: this.events.length + 1, s: this.session, event });
    this.t += 1;
    return this;
  }

  open(kind: 'query' | 'conversation' = 'query', title?: string): this {
    const startedAt = '2026-11-16T09:00:00.000Z';
    this.push({ type: 'opened', t: this.t, kind, startedAt, ...(title !== undefined && { title }) });
    return this.header();
  }

  header(): this {
    const event: InspectorEvent & { t: number } = {
      type: 'header',
      t: this.t,
      format: 'inboard-trace',
      version: 1,
      startedAt: '2026-11-16T09:00:00.000Z',
      inboard: '0.1.0',
      claudeCodeVersion: '2.1.325',
      pid: 4711,
      hostPid: 4700,
      cwd: '/home/you/project',
      runtime: 'node 20.20.2',
      platform: 'linux arm64',
    };
    return this.push(event);
  }

  in(frame: WireObject): this {
    return this.push({ type: 'frame', t: this.t, dir: 'in', frame });
  }

  out(frame: WireObject): this {
    return this.push({ type: 'frame', t: this.t, dir: 'out', frame });
  }

  prompt(text: string): this {
    const message = { role: 'user', content: text };
    return this.out({ type: 'user', session_id: '', message, parent_tool_use_id: null });
  }

  init(fields: WireObject = {}): this {
    const model = 'claude-sonnet-4-5-20250929';
    const session = '11111111-2222-4333-8444-555555555555';
    return this.in({
      type: 'system',
      subtype: 'init',
      session_id: session,
      model,
      permissionMode: 'default',
      ...fields,
    });
  }

  /** A whole message of the model with one block, as the CLI sends them. */
  assistant(block: WireObject, { id = this.#id('msg'), parent = null as string | null } = {}): this {
    const usage = { input_tokens: 100, output_tokens: 10 };
    const message = { id, role: 'assistant', model: 'claude-sonnet-4-5-20250929', content: [block], usage };
    return this.in({ type: 'assistant', message, parent_tool_use_id: parent });
  }

  streamed(event: WireObject, parent: string | null = null): this {
    return this.in({ type: 'stream_event', event, parent_tool_use_id: parent });
  }

  pieces(
    kind: 'text' | 'thinking' | 'input',
    text: string,
    { index = 0, parent = null as string | null } = {},
  ): this {
    return this.push({ type: 'pieces', t: this.t, parent, index, kind, text, count: 3 });
  }

  asks(requestId: string, request: WireObject): this {
    return this.in({ type: 'control_request', request_id: requestId, request });
  }

  answers(requestId: string, response: WireObject): this {
    const body = { subtype: 'success', request_id: requestId, response };
    return this.out({ type: 'control_response', response: body });
  }

  /** A call of a tool of this process, from the model's message to the result. */
  call(
    id: string,
    tool = 'mcp__shop__count',
    input: WireObject = { article: 'lamp' },
    { result = '7', isError = false, ms = 5, parent = null as string | null } = {},
  ): this {
    const [, server = '', name = tool] = tool.split('__');
    this.assistant({ type: 'tool_use', id, name: tool, input }, { parent });
    if (tool.startsWith('mcp__')) {
      const params = { name, arguments: input, _meta: { 'claudecode/toolUseId': id } };
      const message = { jsonrpc: '2.0', id: this.#made, method: 'tools/call', params };
      this.asks(`ask-${id}`, { subtype: 'mcp_message', server_name: server, message });
      this.wait(ms);
      const content = [{ type: 'text', text: result }];
      this.answers(`ask-${id}`, {
        mcp_response: { jsonrpc: '2.0', id: 1, result: { content, isError } },
      });
    } else this.wait(ms);
    return this.result(id, result, { isError, parent });
  }

  result(id: string, content: unknown, { isError = false, parent = null as string | null } = {}): this {
    const block = {
      type: 'tool_result',
      tool_use_id: id,
      content,
      ...(isError && { is_error: true }),
    };
    return this.in({
      type: 'user',
      message: { role: 'user', content: [block] },
      parent_tool_use_id: parent,
    });
  }

  asked(question: Partial<Question> & { id: string }): this {
    const whole: Question = {
      session: this.session,
      kind: 'permission',
      subject: 'mcp__shop__send',
      title: 'Send',
      input: {},
      hidden: [],
      suggestions: [],
      askedAt: Date.parse('2026-11-16T09:00:00.000Z') + this.t,
      attempt: 1,
      canAnswer: true,
      ...question,
    };
    return this.push({ type: 'asked', t: this.t, question: whole });
  }

  settled(id: string, fields: Partial<Extract<InspectorEvent, { type: 'settled' }>> = {}): this {
    return this.push({ type: 'settled', t: this.t, id, outcome: 'allowed', by: 'inspector', ...fields });
  }

  /** The end of a turn. `costUsd` is the total so far, as the CLI tells it. */
  turnEnd(
    text: string,
    { costUsd = 0.01, fields = {} }: { costUsd?: number; fields?: WireObject } = {},
  ): this {
    return this.in({
      type: 'result',
      subtype: 'success',
      is_error: false,
      result: text,
      num_turns: 1,
      duration_ms: 100,
      total_cost_usd: costUsd,
      usage: { input_tokens: 100, output_tokens: 10 },
      modelUsage: {
        'claude-sonnet-4-5-20250929': { inputTokens: 100, outputTokens: 10, costUSD: costUsd },
      },
      ...fields,
    });
  }

  end(exitCode: number | null = 0, signal: string | null = null): this {
    return this.push({
      type: 'end',
      t: this.t,
      exitCode,
      signal,
      stderrTail: '',
      frames: this.events.length,
    });
  }

  over(error?: { code: string; message: string }): this {
    return this.push({ type: 'over', t: this.t, ...(error && { error }) });
  }

  #id(prefix: string): string {
    this.#made += 1;
    return `${prefix}_${this.#made}`;
  }
}

/** A session as a live source tells it: opened, pieces joined, a question asked and answered from the page, over. */
export function makeLiveSession(session = 's1'): NumberedEvent[] {
  const id = 'msg_live';
  const block = { type: 'text', text: 'I will send it.' };
  const call = { type: 'tool_use', id: 'toolu_live', name: 'mcp__shop__send', input: { to: 'Ines' } };
  const params = {
    name: 'send',
    arguments: { to: 'Jonas' },
    _meta: { 'claudecode/toolUseId': 'toolu_live' },
  };
  return new EventMaker(session)
    .open('query')
    .prompt('Send it.')
    .wait(300)
    .init()
    .streamed({ type: 'message_start', message: { id, usage: { input_tokens: 50, output_tokens: 1 } } })
    .streamed({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } })
    .pieces('text', 'I will ')
    .wait(100)
    .pieces('text', 'send it.')
    .assistant(block, { id })
    .streamed({ type: 'content_block_stop', index: 0 })
    .streamed({ type: 'content_block_start', index: 1, content_block: { ...call, input: {} } })
    .pieces('input', '{"to":"In', { index: 1 })
    .pieces('input', 'es"}', { index: 1 })
    .assistant(call, { id })
    .streamed({ type: 'content_block_stop', index: 1 })
    .streamed({ type: 'message_delta', usage: { output_tokens: 42 } })
    .asks('perm-1', {
      subtype: 'can_use_tool',
      tool_name: call.name,
      input: call.input,
      tool_use_id: call.id,
    })
    .asked({ id: 'perm-1', subject: call.name, input: call.input, toolUseId: call.id })
    .wait(1500)
    .settled('perm-1', { isEdited: true })
    .answers('perm-1', { behavior: 'allow', updatedInput: { to: 'Jonas' }, toolUseID: call.id })
    .asks('ask-live', {
      subtype: 'mcp_message',
      server_name: 'shop',
      message: { jsonrpc: '2.0', id: 2, method: 'tools/call', params },
    })
    .wait(120)
    .answers('ask-live', {
      mcp_response: { jsonrpc: '2.0', id: 2, result: { content: [{ type: 'text', text: 'sent' }] } },
    })
    .result(call.id, [{ type: 'text', text: 'sent' }])
    .push({ type: 'warning', t: 2100, code: 'SLOW_TOOL', message: 'A tool took long.' })
    .assistant({ type: 'text', text: 'Sent.' })
    .turnEnd('Sent.')
    .end()
    .over().events;
}

/** A long session: `calls` calls in turns of ten, about five events each; every `failEvery`th fails. */
export function makeManyCalls(calls: number, { session = 's1', failEvery = 25 } = {}): NumberedEvent[] {
  const maker = new EventMaker(session).open('conversation');
  let cost = 0;
  for (let call = 0; call < calls; call += 1) {
    if (call % 10 === 0) maker.prompt(`Turn ${call / 10 + 1}: count them all.`).init();
    if (call % 5 === 0) maker.assistant({ type: 'text', text: `Now the next five, from ${call} on.` });
    const isError = call % failEvery === failEvery - 1;
    maker.call(
      `toolu_${call}`,
      call % 3 === 2 ? 'Bash' : 'mcp__shop__count',
      { article: `lamp ${call}` },
      {
        isError,
        result: isError ? 'It does not answer' : String(call),
      },
    );
    if (call % 10 !== 9) continue;
    cost += 0.01;
    maker.assistant({ type: 'text', text: `Turn ${(call + 1) / 10} is done.` });
    maker.turnEnd(`Turn ${(call + 1) / 10} is done.`, { costUsd: cost });
  }
  return maker.end().over().events;
}
