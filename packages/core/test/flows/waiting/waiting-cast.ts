// CLIs that keep their transcript in a store: they ask for permissions, call tools in this process, and go on with a turn that
// was cut off. A test tells what the model replies. Each start, and each process that is alive, is counted.
import { InMemorySessionStore } from '../../../src/record/history/store/in-memory-session-store.js';
import { findProjectKey } from '../../../src/record/history/store/stored-entries.js';
import type { Launch } from '../../../src/live/launch.js';
import { createMemoryTransport, type MemoryPeer } from '../../../src/wire/transport/memory-transport.js';
import { INITIALIZE_REPLY, result } from '../../../../../test/support/steps.js';

type Line = Record<string, unknown>;

/** A call of the model. `ask`: the CLI asks first. `run`: a rule allows it. `own`: the CLI runs it itself, for ever. */
export interface CastCall {
  tool: string;
  input?: Record<string, unknown>;
  how?: 'ask' | 'run' | 'own';
  /** Set where a subagent makes the call. */
  agent?: string;
}

/** What the model replies: a text ends the turn. */
export type CastReply = string | readonly CastCall[];

interface OpenCastCall extends CastCall {
  id: string;
}

/** The CLIs of one conversation, one after the other. */
export class WaitingCast {
  readonly store = new InMemorySessionStore();
  readonly replies: CastReply[];
  /** How many CLIs were started. */
  starts = 0;
  /** The CLIs that are alive. */
  readonly alive = new Set<MemoryPeer>();
  /** The control requests that the CLIs got, except for handshakes. */
  readonly requests: Line[] = [];
  /** The texts that the CLIs were sent. */
  readonly prompts: string[] = [];
  /** The results that the model was told, by the ids of the calls. */
  readonly told = new Map<string, unknown>();
  /** Whether entries are written. A CLI may write late. */
  isSaving = true;
  /** The answers to control requests, by their subtypes. */
  readonly answers: Record<string, unknown> = {};
  #key: { projectKey: string; sessionId: string } | undefined;
  #last: string | null = null;
  #calls = 0;
  #entries = 0;

  constructor(...replies: CastReply[]) {
    this.replies = replies;
  }

  get peer(): MemoryPeer {
    const [peer] = this.alive;
    if (!peer) throw new Error('No CLI is alive');
    return peer;
  }

  readonly launch: Launch = async ({ options }) => {
    const { transport, peer } = createMemoryTransport({ leavesAtEndOfInput: true });
    const sessionId = String(options.sessionId ?? options.resume);
    this.#key = { projectKey: await findProjectKey(process.cwd()), sessionId };
    this.starts += 1;
    this.alive.add(peer);
    const goesOn = options.extendEnv?.['CLAUDE_CODE_RESUME_INTERRUPTED_TURN'] === '1';
    new CastCli(this, peer, sessionId, goesOn);
    return {
      transport,
      initialize: {},
      version: '2.1.325',
      warnings: [],
      discard: () => void this.alive.delete(peer),
    };
  };

  nextCallId(): string {
    this.#calls += 1;
    return `toolu_${this.#calls}`;
  }

  /** Writes an entry to the transcript. */
  async save(entry: Line): Promise<void> {
    if (!this.#key || !this.isSaving) return;
    const parentUuid = this.#last;
    this.#last = String(entry['uuid']);
    this.#entries += 1;
    const common = {
      sessionId: this.#key.sessionId,
      isSidechain: false,
      userType: 'external',
      cwd: process.cwd(),
      version: '2.1.325',
      timestamp: new Date(1e12 + this.#entries).toISOString(),
    };
    await this.store.append(this.#key, [{ ...common, parentUuid, ...entry }] as never);
  }

  /** The transcript, as JSON. */
  async transcript(): Promise<string> {
    return JSON.stringify(this.#key ? await this.store.load(this.#key) : []);
  }

  /** Results that were written while there was no CLI. */
  async readResults(): Promise<void> {
    const entries = ((this.#key && (await this.store.load(this.#key))) ?? []) as unknown as Line[];
    for (const { uuid, message } of entries) {
      if (typeof uuid === 'string') this.#last = uuid;
      const { content } = (message ?? {}) as { content?: unknown };
      for (const block of Array.isArray(content) ? (content as Line[]) : [])
        if (block['type'] === 'tool_result') this.told.set(String(block['tool_use_id']), block['content']);
    }
  }
}

/** One CLI process. */
class CastCli {
  readonly #cast: WaitingCast;
  readonly #peer: MemoryPeer;
  readonly #sessionId: string;
  readonly #goesOn: boolean;
  readonly #open = new Map<string, OpenCastCall>();
  #uuid: string | undefined;
  #requests = 0;
  readonly #asked = new Map<string, OpenCastCall>();
  readonly #called = new Map<string, OpenCastCall>();

  constructor(cast: WaitingCast, peer: MemoryPeer, sessionId: string, goesOn: boolean) {
    this.#cast = cast;
    this.#peer = peer;
    this.#sessionId = sessionId;
    this.#goesOn = goesOn;
    peer.onLine((line) => void this.#receive(JSON.parse(line) as Line));
  }

  #send(message: object): void {
    this.#peer.send(JSON.stringify({ ...message, session_id: this.#sessionId }));
  }

  #request(request: Line): string {
    this.#requests += 1;
    const id = `start${this.#cast.starts}-request${this.#requests}`;
    this.#send({ type: 'control_request', request_id: id, request });
    return id;
  }

  async #receive(line: Line): Promise<void> {
    if (line['type'] === 'control_request') await this.#receiveRequest(line);
    if (line['type'] === 'control_response') await this.#receiveAnswer(line['response'] as Line);
    if (line['type'] !== 'user') return;
    const uuid = String(line['uuid']);
    this.#uuid = uuid;
    const [block] = (line['message'] as { content: { text: string }[] }).content;
    this.#cast.prompts.push(String(block?.text));
    await this.#cast.save({ type: 'user', uuid, message: line['message'] });
    this.#send({ type: 'command_lifecycle', command_uuid: uuid, state: 'started' });
    this.#send({ type: 'system', subtype: 'init' });
    await this.#ask();
  }

  async #receiveRequest({ request_id, request }: Line): Promise<void> {
    const asked = request as Line;
    const isHandshake = asked['subtype'] === 'initialize';
    if (!isHandshake) this.#cast.requests.push(asked);
    const response = isHandshake
      ? { ...INITIALIZE_REPLY, session_state: this.#goesOn ? 'running' : 'idle' }
      : this.#cast.answers[String(asked['subtype'])];
    this.#send({ type: 'control_response', response: { subtype: 'success', request_id, response } });
    if (isHandshake && this.#goesOn) {
      this.#send({ type: 'system', subtype: 'init' });
      await this.#cast.readResults();
      await this.#ask();
    }
    if (asked['subtype'] === 'interrupt') this.#send(result({ subtype: 'error_during_execution' }));
  }

  /** Asks the model. */
  async #ask(): Promise<void> {
    const reply = this.#cast.replies.shift() ?? 'Done.';
    const calls = typeof reply === 'string' ? [] : reply;
    const opened = calls.map((call) => ({ ...call, id: this.#cast.nextCallId() }));
    const blocks =
      typeof reply === 'string'
        ? [{ type: 'text', text: reply }]
        : opened.map(({ id, tool, input }) => ({ type: 'tool_use', id, name: tool, input: input ?? {} }));
    const messageId = `msg_${this.#cast.starts}_${this.#requests}_${this.#cast.replies.length}`;
    for (const block of blocks) {
      const uuid = crypto.randomUUID();
      const usage = { input_tokens: 10, output_tokens: 5 };
      const message = { id: messageId, type: 'message', role: 'assistant', model: 'm', content: [block], usage };
      await this.#cast.save({ type: 'assistant', uuid, message });
      this.#send({ type: 'assistant', uuid, parent_tool_use_id: null, message });
    }
    if (typeof reply === 'string') {
      const uuids = this.#uuid === undefined ? {} : { user_message_uuids: [this.#uuid] };
      this.#send(result({ result: reply, ...uuids }));
      return;
    }
    for (const call of opened) this.#open.set(call.id, call);
    for (const call of opened) {
      if (call.how === 'run') this.#call(call, call.input ?? {});
      else if (call.how !== 'own') this.#askFor(call);
    }
  }

  #askFor(call: OpenCastCall): void {
    const { id, tool, input = {}, agent } = call;
    const request = { subtype: 'can_use_tool', tool_name: tool, input, tool_use_id: id };
    this.#asked.set(this.#request({ ...request, ...(agent !== undefined && { agent_id: agent }) }), call);
  }

  #call(call: OpenCastCall, input: unknown): void {
    const [, server_name, name] = call.tool.split('__');
    const params = { name, arguments: input, _meta: { 'claudecode/toolUseId': call.id, progressToken: call.id } };
    const message = { jsonrpc: '2.0', id: this.#requests, method: 'tools/call', params };
    this.#called.set(this.#request({ subtype: 'mcp_message', server_name, message }), call);
  }

  async #receiveAnswer({ request_id, response }: Line): Promise<void> {
    const id = String(request_id);
    const asked = this.#asked.get(id);
    const answer = response as Line | undefined;
    if (asked && answer?.['behavior'] === 'allow') this.#call(asked, answer['updatedInput']);
    if (asked && answer?.['behavior'] === 'deny') await this.#end(asked, answer['message']);
    const called = this.#called.get(id);
    const reply = answer?.['mcp_response'] as { result?: { content?: unknown } } | undefined;
    if (called) await this.#end(called, reply?.result?.content);
  }

  async #end({ id }: OpenCastCall, content: unknown): Promise<void> {
    const block = { type: 'tool_result', tool_use_id: id, content };
    const uuid = crypto.randomUUID();
    const message = { role: 'user', content: [block] };
    this.#cast.told.set(id, content);
    await this.#cast.save({ type: 'user', uuid, message });
    this.#send({ type: 'user', uuid, parent_tool_use_id: null, message });
    this.#open.delete(id);
    if (this.#open.size === 0) await this.#ask();
  }
}
