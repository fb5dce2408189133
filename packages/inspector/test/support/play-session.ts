// Plays sessions from random moves, written from the facts of the protocol alone: a program and a CLI that do what they may
// do at each moment, and now and then what they should not. `truth` is what the moves meant, for tests to compare views with.
import * as fc from 'fast-check';
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';
import type { NumberedEvent, QuestionOutcome, WaitedFor } from '../../src/stream/inspector-event.js';
import { EventMaker } from './make-events.js';

/** One move: what is tried, whom it is about, in which variant, and how much time passes before it. */
export interface Move {
  what: keyof typeof MOVES;
  which: number;
  how: number;
  ms: number;
}

/** How a session is looked at: beside the wire, as a live page does, or as a recording; and whether its CLI is a new one. */
export interface Look {
  isLive: boolean;
  isNew: boolean;
}

interface PlayedCall {
  id: string;
  tool: string;
  parent: string | null;
  isAsked: boolean;
  isDenied: boolean;
  isOver: boolean;
  isBackground: boolean;
  /** The message that has the call came: before, nothing happens to it. */
  isMade: boolean;
  handler: string | undefined;
}

interface PlayedQuestion {
  request: string | undefined;
  card: string | undefined;
  call: PlayedCall | undefined;
  kind: 'permission' | 'dialog' | 'elicitation' | 'held' | 'pending' | 'hook';
}

const TOOLS = ['Bash', 'mcp__shop__count', 'mcp__shop__pay', 'Task', 'Read'] as const;
const JUMPS = [0, 1, 3, 40, 900, 86_400_000, -5000] as const;

/** A session while it is played. */
class Stage {
  readonly maker: EventMaker;
  readonly look: Look;
  calls: PlayedCall[] = [];
  questions: PlayedQuestion[] = [];
  hasCli = false;
  hasTurn = false;
  isOver = false;
  cost = 0;
  made = 0;

  constructor(look: Look, session: string) {
    this.look = look;
    this.maker = new EventMaker(session);
  }

  id(name: string): string {
    this.made += 1;
    return `${name}_${this.made}`;
  }

  pick<Item>(items: readonly Item[], which: number): Item | undefined {
    return items[which % Math.max(1, items.length)];
  }

  open(which: number): PlayedCall | undefined {
    return this.pick(
      this.calls.filter(({ isOver, isMade }) => isMade && !isOver),
      which,
    );
  }

  /** Whether the CLI can still ask about a call: not once it runs, and between two turns only for an agent in the background. */
  mayAsk(call: PlayedCall): boolean {
    const { isAsked, isDenied, isBackground, handler } = call;
    return this.goesOn(call) && !isAsked && !isDenied && !isBackground && handler === undefined;
  }

  /** Whether a CLI works at what the call belongs to: a turn, or an agent in the background. */
  goesOn({ parent }: PlayedCall): boolean {
    const agent = this.calls.find(({ id }) => id === parent);
    return this.hasCli && (this.hasTurn || (agent?.isBackground === true && !agent.isOver));
  }

  state(state: string): void {
    if (this.look.isNew) this.maker.in({ type: 'system', subtype: 'session_state_changed', state });
  }

  usage(how: number): WireObject {
    return how % 4 === 0 ? {} : { usage: { input_tokens: 10 * how, output_tokens: how } };
  }

  message(content: WireObject[], how: number, parent: string | null = null): void {
    const message = { id: this.id('msg'), role: 'assistant', model: 'claude-a', content, ...this.usage(how) };
    this.maker.in({ type: 'assistant', message, parent_tool_use_id: parent });
  }

  card(question: PlayedQuestion, fields: WireObject = {}): void {
    if (!this.look.isLive) return;
    const { kind, call, request } = question;
    const id = request ?? this.id('card');
    question.card = id;
    this.maker.asked({
      id,
      kind: kind as 'permission',
      subject: call?.tool ?? 'shop',
      title: `${kind} ${id}`,
      ...(call && { toolUseId: call.id }),
      ...fields,
    });
  }

  settle(question: PlayedQuestion, outcome: QuestionOutcome): void {
    if (question.card !== undefined) this.maker.settled(question.card, { outcome });
    question.card = undefined;
  }

  drop(question: PlayedQuestion | undefined): void {
    this.questions = this.questions.filter((one) => one !== question);
  }

  /** What ends with a CLI. Cards about calls stay, as those of a turn that goes on without one; dialogs do not. */
  loseCli(isKept: boolean): void {
    this.hasCli = false;
    this.hasTurn = false;
    for (const question of this.questions) {
      question.request = undefined;
      const stays = isKept && question.card !== undefined && question.call !== undefined;
      if (!stays) this.settle(question, question.kind === 'pending' ? 'over' : 'withdrawn');
    }
    this.questions = this.questions.filter(({ card }) => card !== undefined);
    for (const call of this.calls) call.handler = undefined;
  }
}

/** The moves. Each does nothing where it cannot be made. */
const MOVES = {
  start(stage: Stage, _which: number, how: number): void {
    if (stage.hasCli || stage.isOver || (!stage.look.isLive && stage.made > 0)) return;
    const request = stage.id('init');
    stage.maker.header();
    stage.maker.out({
      type: 'control_request',
      request_id: request,
      request: { subtype: 'initialize', sdkMcpServers: ['shop'] },
    });
    stage.hasCli = true;
    if (how % 5 > 0)
      stage.maker.in({
        type: 'control_response',
        response: { subtype: 'success', request_id: request, response: {} },
      });
    // A CLI that follows another one goes on with its turn.
    if (stage.questions.length > 0) MOVES.turn(stage);
  },
  prompt(stage: Stage): void {
    if (!stage.hasCli) return;
    stage.maker.prompt(`prompt ${stage.id('p')}`);
  },
  turn(stage: Stage): void {
    if (!stage.hasCli || stage.hasTurn) return;
    stage.hasTurn = true;
    stage.state('running');
    stage.maker.init();
  },
  say(stage: Stage, which: number, how: number): void {
    if (!stage.hasTurn) return;
    const agents = stage.calls.filter(({ tool, isOver }) => tool === 'Task' && !isOver);
    const parent = how % 3 === 0 ? (stage.pick(agents, which)?.id ?? null) : null;
    stage.message([{ type: 'text', text: 'text' }], how, parent);
  },
  stream(stage: Stage, _which: number, how: number): void {
    if (!stage.hasTurn) return;
    const id = stage.id('msg');
    const call = { type: 'tool_use', id: stage.id('call'), name: 'Bash', input: {} };
    const [content_block, kind] =
      how % 2 ? [call, 'input' as const] : [{ type: 'text', text: '' }, 'text' as const];
    stage.maker.streamed({ type: 'message_start', message: { id, usage: { input_tokens: 5 } } });
    stage.maker.streamed({ type: 'content_block_start', index: 0, content_block });
    stage.maker.pieces(kind, kind === 'text' ? 'some' : '{"a":1}');
    if (how % 2) stage.calls.push({ ...stagedCall(call.id, 'Bash', null), isMade: how % 5 > 0 });
    if (how % 5 === 0) return;
    const block = how % 2 ? { ...call, input: { a: 1 } } : { type: 'text', text: 'some more' };
    stage.maker.wait(how).assistant(block, { id });
    stage.maker.streamed({ type: 'content_block_stop', index: 0 });
    stage.maker.streamed({ type: 'message_delta', usage: { output_tokens: how } });
    if (how % 7) stage.maker.streamed({ type: 'message_stop' });
  },
  call(stage: Stage, which: number, how: number): void {
    if (!stage.hasTurn) return;
    const agents = stage.calls.filter(({ tool, isOver }) => tool === 'Task' && !isOver);
    const parent = how % 4 === 3 ? (stage.pick(agents, which)?.id ?? null) : null;
    const calls = Array.from({ length: 1 + (how % 3) }, (_, index) =>
      stagedCall(stage.id('call'), TOOLS[(which + index) % TOOLS.length] ?? 'Bash', parent),
    );
    const blocks = calls.map(({ id, tool }) => ({ type: 'tool_use', id, name: tool, input: { a: 1 } }));
    if (how % 2) stage.message(blocks, how, parent);
    else for (const block of blocks) stage.message([block], how, parent);
    stage.calls.push(...calls);
  },
  ask(stage: Stage, which: number, how: number): void {
    const call = stage.open(which);
    if (!call || !stage.mayAsk(call)) return;
    call.isAsked = true;
    const question: PlayedQuestion = { kind: 'permission', call, request: stage.id('ask'), card: undefined };
    stage.questions.push(question);
    if (how % 2) stage.state('requires_action');
    const request = { subtype: 'can_use_tool', tool_name: call.tool, input: { a: 1 }, tool_use_id: call.id };
    stage.maker.asks(question.request ?? '', request);
    stage.card(question);
  },
  dialog(stage: Stage, _which: number, how: number): void {
    if (!stage.hasCli) return;
    const kind = how % 2 ? 'dialog' : 'elicitation';
    const question: PlayedQuestion = { kind, call: undefined, request: stage.id('dialog'), card: undefined };
    stage.questions.push(question);
    const names = how % 2 ? { dialog_kind: 'login' } : { mcp_server_name: 'shop', message: 'Your name?' };
    const subtype = how % 2 ? 'request_user_dialog' : 'elicitation';
    stage.maker.asks(question.request ?? '', { subtype, ...names });
    stage.card(question);
  },
  hook(stage: Stage, which: number, how: number): void {
    const call = stage.open(which);
    // The CLI asks hooks first, and a person afterwards.
    if (!call || !stage.mayAsk(call)) return;
    const request = stage.id('hook');
    const input = { hook_event_name: 'PreToolUse', tool_name: call.tool };
    stage.maker.asks(request, { subtype: 'hook_callback', callback_id: 'h', input, tool_use_id: call.id });
    if (how % 5 === 0) return;
    call.isDenied ||= how % 3 === 0;
    const decision = how % 3 === 0 ? 'deny' : 'allow';
    stage.maker.wait(how).answers(request, {
      hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: decision },
    });
  },
  answer(stage: Stage, which: number, how: number): void {
    const question = stage.pick(stage.questions, which);
    if (!question) return;
    const { call, kind, request } = question;
    const isDenied = how % 3 === 0;
    const value =
      kind === 'permission'
        ? isDenied
          ? { behavior: 'deny', message: 'no' }
          : { behavior: 'allow', updatedInput: { a: how % 3 } }
        : { action: isDenied ? 'decline' : 'accept' };
    const tell = (): void => {
      if (request !== undefined && kind !== 'held' && kind !== 'pending') stage.maker.answers(request, value);
    };
    if (how % 2) tell();
    if (kind === 'pending') stage.settle(question, isDenied ? 'failed' : 'completed');
    else if (kind === 'dialog' || kind === 'elicitation')
      stage.settle(question, isDenied ? 'declined' : 'answered');
    else stage.settle(question, isDenied ? 'denied' : how % 5 ? 'allowed' : 'allowed-always');
    if (how % 2 === 0) tell();
    if (call && kind === 'permission') call.isDenied = isDenied;
    stage.drop(question);
  },
  withdraw(stage: Stage, which: number, how: number): void {
    const question = stage.pick(stage.questions, which);
    if (!question || question.kind === 'pending') return;
    const { request } = question;
    if (how % 2) stage.settle(question, 'withdrawn');
    if (request !== undefined && question.kind !== 'held')
      stage.maker.in({ type: 'control_cancel_request', request_id: request });
    stage.settle(question, 'withdrawn');
    stage.drop(question);
  },
  handle(stage: Stage, which: number, how: number): void {
    const call = stage.open(which);
    const isOurs = call?.tool.startsWith('mcp__') === true && call.handler === undefined && !call.isDenied;
    // A call runs after it was allowed.
    if (!isOurs || !stage.goesOn(call) || stage.questions.some((one) => one.call === call)) return;
    call.handler = stage.id('handle');
    const [, server = '', name] = call.tool.split('__');
    const _meta = stage.look.isNew || how % 2 ? { 'claudecode/toolUseId': call.id } : {};
    const message = {
      jsonrpc: '2.0',
      id: stage.made,
      method: 'tools/call',
      params: { name, arguments: {}, _meta },
    };
    stage.maker.asks(call.handler, { subtype: 'mcp_message', server_name: server, message });
    if (how % 4 === 0) {
      const question: PlayedQuestion = { kind: 'held', call, request: undefined, card: undefined };
      stage.card(question);
      if (question.card !== undefined) stage.questions.push(question);
    }
  },
  pend(stage: Stage, which: number): void {
    const call = stage.pick(
      stage.calls.filter(({ isOver, handler }) => !isOver && handler !== undefined),
      which,
    );
    if (!stage.look.isLive || !call || stage.questions.some((one) => one.call === call)) return;
    const question: PlayedQuestion = { kind: 'pending', call, request: undefined, card: undefined };
    stage.card(question, { callKey: `key ${call.id}` });
    stage.questions.push(question);
  },
  return(stage: Stage, which: number, how: number): void {
    const call = stage.pick(
      stage.calls.filter(({ handler }) => handler !== undefined),
      which,
    );
    if (!stage.hasCli || !call || stage.questions.some((one) => one.call === call)) return;
    const body = how % 3 === 0 ? { error: { code: -1, message: 'failed' } } : { result: { content: [] } };
    stage.maker.answers(call.handler ?? '', { mcp_response: { jsonrpc: '2.0', id: 1, ...body } });
    call.handler = undefined;
  },
  result(stage: Stage, which: number, how: number): void {
    const call = stage.open(which);
    if (!stage.hasCli || !call || call.handler !== undefined) return;
    // An agent has no result while one of its calls is asked about.
    if (stage.questions.some((one) => one.call === call || one.call?.parent === call.id)) return;
    call.isOver = true;
    stage.maker.in(resultOf(call, how));
  },
  stray(stage: Stage, which: number, how: number): void {
    if (!stage.hasCli) return;
    const known = stage.pick(stage.calls, which);
    const call = how % 2 && known?.isOver ? known : stagedCall(stage.id('unknown'), 'Bash', null);
    stage.maker.in(resultOf(call, how));
  },
  background(stage: Stage, which: number, how: number): void {
    const call = stage.open(which);
    if (!stage.hasTurn || !call || call.isBackground || !['Task', 'Bash'].includes(call.tool)) return;
    if (stage.questions.some((one) => one.call === call)) return;
    call.isBackground = true;
    const type = call.tool === 'Task' ? 'local_agent' : 'local_bash';
    const facts = call.tool === 'Task' ? { subagent_type: 'general-purpose' } : {};
    stage.maker.in({
      type: 'system',
      subtype: 'task_started',
      tool_use_id: call.id,
      task_type: type,
      ...facts,
    });
    if (how % 4) stage.maker.in({ ...resultOf(call, 1), tool_use_result: { isAsync: true } });
  },
  notify(stage: Stage, which: number, how: number): void {
    const call = stage.pick(
      stage.calls.filter(({ isBackground, isOver }) => isBackground && !isOver),
      which,
    );
    if (!stage.hasCli || !call) return;
    call.isOver = true;
    const status = ['completed', 'failed', 'stopped'][how % 3] ?? '';
    stage.maker.in({
      type: 'system',
      subtype: 'task_notification',
      tool_use_id: call.id,
      status,
      summary: 'all',
    });
  },
  finish(stage: Stage, _which: number, how: number): void {
    const isAborted = how % 5 === 0;
    // The CLI ends no turn while it asks, unless it is interrupted. Then it withdraws what it asked.
    if (!stage.hasTurn || (!isAborted && stage.questions.length > 0)) return;
    stage.hasTurn = false;
    if (isAborted) {
      const request = {
        type: 'control_request',
        request_id: stage.id('i'),
        request: { subtype: 'interrupt' },
      };
      stage.maker.out(request);
      for (const question of stage.questions) {
        if (question.request !== undefined)
          stage.maker.in({ type: 'control_cancel_request', request_id: question.request });
        stage.settle(question, question.kind === 'pending' ? 'over' : 'withdrawn');
      }
      stage.questions = [];
    }
    const fails = how % 7 === 0;
    stage.cost += how % 3 === 0 ? 0 : 0.25;
    const denied = stage.calls.filter(({ isDenied, isOver }) => isDenied && isOver);
    const reason = isAborted ? 'aborted_tools' : 'completed';
    stage.maker.turnEnd('done', {
      costUsd: stage.cost,
      fields: {
        ...(how % 4 === 0 && { total_cost_usd: undefined, usage: undefined, modelUsage: undefined }),
        ...((fails || isAborted) && { subtype: 'error_during_execution', is_error: stage.look.isNew }),
        ...(stage.look.isNew && { terminal_reason: reason }),
        permission_denials: denied.map(({ id, tool }) => ({ tool_use_id: id, tool_name: tool })),
      },
    });
    if (how % 6) stage.state('idle');
  },
  idle(stage: Stage): void {
    if (stage.hasCli && !stage.hasTurn) stage.state('idle');
  },
  report(stage: Stage, _which: number, how: number): void {
    if (!stage.hasTurn) return;
    const reports: WireObject[] = [
      { subtype: 'api_retry', attempt: 1, retry_delay_ms: 500, error_status: 529 },
      { subtype: 'status', status: 'compacting' },
      { subtype: 'status', status: null },
      { subtype: 'compact_boundary', compact_metadata: { duration_ms: 3, pre_tokens: 10, post_tokens: 2 } },
      { subtype: 'status', status: 'requesting' },
    ];
    stage.maker.in({ type: 'system', ...reports[how % reports.length] });
  },
  control(stage: Stage, _which: number, how: number): void {
    if (!stage.hasCli) return;
    const request = stage.id('control');
    stage.maker.out({
      type: 'control_request',
      request_id: request,
      request: { subtype: 'set_model', model: 'b' },
    });
    if (how % 4 === 0) return;
    const body = { subtype: how % 3 ? 'success' : 'error', request_id: request, error: 'no' };
    stage.maker.wait(how).in({ type: 'control_response', response: body });
  },
  beside(stage: Stage, _which: number, how: number): void {
    const { t } = stage.maker;
    if (how % 3 === 0) stage.maker.push({ type: 'fault', t, code: 'BAD_LINE', message: 'lost' });
    else if (how % 3 === 1 && stage.look.isLive)
      stage.maker.push({ type: 'warning', t, code: 'W', message: 'w' });
    else stage.maker.push({ type: 'gap', t, reason: 'slow-disk' });
  },
  /** The CLI goes: told to, by a crash, or to be started again later; in a turn or between two. */
  go(stage: Stage, _which: number, how: number): void {
    if (!stage.hasCli || how % 3 === 2) return;
    const hadTurn = stage.hasTurn;
    const hadHandler = stage.calls.some(({ handler }) => handler !== undefined);
    const waits = stage.questions.filter(({ card, call }) => card !== undefined && call !== undefined);
    const isToldTo = how % 2 === 0;
    if (isToldTo && !hadTurn) stage.maker.push({ type: 'input-end', t: stage.maker.t });
    if (isToldTo) stage.maker.push({ type: 'terminate', t: stage.maker.t });
    stage.maker.end(isToldTo ? 143 : 1);
    stage.loseCli(stage.look.isLive && isToldTo);
    if (!stage.look.isLive) {
      stage.isOver = true;
      return;
    }
    if (!isToldTo || (how % 4 === 0 && waits.length === 0)) return;
    const waitsFor = new Set(waits.map(({ kind }): WaitedFor => (kind === 'pending' ? 'pending' : 'person')));
    if (hadTurn && hadHandler && how % 5 === 0) waitsFor.add('detached');
    stage.maker.push({ type: 'suspended', t: stage.maker.t, waitsFor: [...waitsFor] });
  },
  complete(stage: Stage, which: number, how: number): void {
    const call = stage.open(which);
    if (stage.hasCli || stage.isOver || !call || stage.questions.some((one) => one.call === call)) return;
    if (!stage.look.isLive) return;
    call.isOver = true;
    const kind = (['recorded', 'ran', 'denied', 'notRun', 'unknown'] as const)[how % 5] ?? 'ran';
    const completed = {
      callKey: 'k',
      toolUseId: call.id,
      toolName: call.tool,
      input: {},
      how: kind,
      delivered: true,
    };
    stage.maker.push({ type: 'completed', t: stage.maker.t, frame: { ...resultOf(call, how), completed } });
  },
  over(stage: Stage, _which: number, how: number): void {
    if (!stage.look.isLive || stage.isOver || how % 3) return;
    if (stage.hasCli) stage.maker.end(how % 2);
    stage.loseCli(false);
    stage.maker.over(how % 2 ? { code: 'EXIT', message: 'it failed' } : undefined);
    stage.isOver = true;
  },
};

function stagedCall(id: string, tool: string, parent: string | null): PlayedCall {
  return {
    id,
    tool,
    parent,
    isAsked: false,
    isDenied: false,
    isOver: false,
    isBackground: false,
    isMade: true,
    handler: undefined,
  };
}

function resultOf({ id, parent, isDenied }: PlayedCall, how: number): WireObject {
  const isError = isDenied || how % 3 === 0;
  const block = { type: 'tool_result', tool_use_id: id, content: 'out', ...(isError && { is_error: true }) };
  const isEnded = isError && !isDenied && how % 2 === 0;
  return {
    type: 'user',
    message: { role: 'user', content: [block] },
    parent_tool_use_id: parent,
    ...(isEnded && { tool_result_meta: [{ id, non_execution_kind: 'user-rejected' }] }),
  };
}

/** Random moves; fast-check makes fewer and simpler ones of those that fail. */
export const randomMoves: fc.Arbitrary<Move[]> = fc.array(
  fc.record({
    what: fc.constantFrom(...(Object.keys(MOVES) as (keyof typeof MOVES)[])),
    which: fc.nat({ max: 5 }),
    how: fc.nat({ max: 11 }),
    ms: fc.constantFrom(...JUMPS),
  }),
  { maxLength: 40, size: 'max' },
);

/** The events of a session that is played by moves. It begins with a CLI that has a turn, so that most moves can be made. */
export function playSession(moves: readonly Move[], look: Look, session = 's1'): NumberedEvent[] {
  const stage = new Stage(look, session);
  stage.maker.push({
    type: 'opened',
    t: 0,
    kind: look.isLive ? 'conversation' : 'trace',
    startedAt: STARTED_AT,
  });
  MOVES.start(stage, 0, 1);
  const [first] = moves;
  if (first && first.ms !== 3) {
    MOVES.prompt(stage);
    MOVES.turn(stage);
  }
  for (const { what, which, how, ms } of moves) {
    if (stage.isOver) break;
    stage.maker.wait(Math.max(ms, -stage.maker.t));
    MOVES[what](stage, which, how);
  }
  return stage.maker.events;
}

const STARTED_AT = '2026-11-16T09:00:00.000Z';
