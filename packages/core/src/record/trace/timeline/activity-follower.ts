// Follows the events of a session and knows what is under way: open questions, running code of the program, work of the
// CLI and the model. The time for an event does not grow with the session. `conversation-activity` reads the messages of
// the conversation, and `asked-activities` what the inspector reports.
import { isRecord } from '../../../util/guards.js';
import type { WireObject } from '../../../wire/protocol/codec.js';
import { completedOf } from '../../../wire/protocol/messages/completed-call.js';
import type { Activity, ActivityListener, ShareName, TimedEvent } from './activity.js';
import type { CallFates } from './call-fates.js';
import { AskedActivities, wireKey } from './asked-activities.js';
import { ConversationActivity } from './conversation-activity.js';
import type { CallFate } from './fated-call.js';
import { OpenActivities } from './open-activities.js';
import { isFailure, whoAnswers } from './who-answers.js';
import {
  isDenial,
  readWireAnswer,
  readCancel,
  readWireQuestion,
  type WireQuestion,
} from './wire-question.js';

/** Follows one session. It must get each event of the session in order. */
export class ActivityFollower {
  readonly #open: OpenActivities;
  readonly #calls: CallFates;
  readonly #conversation: ConversationActivity;
  /** The prefixes in the names of tools that the program itself runs. */
  readonly #ours = new Set<string>();
  readonly #asked: AskedActivities;
  /** The calls that had a bar, by their ids. */
  readonly #shown = new Map<string, Activity>();
  /** The handlers that the end of the last CLI cut off. */
  #cutWithCli: Activity[] = [];
  #hasCli = true;
  #isInputOver = false;
  /** What the session waits for without a CLI. */
  #waitsFor: readonly string[] = [];

  /** The caller gives each event to `calls` first. */
  constructor(calls: CallFates, listener?: Partial<ActivityListener>) {
    this.#calls = calls;
    this.#open = new OpenActivities({
      begin: (activity) => {
        const { kind, toolUseId } = activity;
        if (kind === 'call' && toolUseId !== undefined) this.#shown.set(toolUseId, activity);
        listener?.begin?.(activity);
      },
      end: (activity) => listener?.end?.(activity),
    });
    this.#asked = new AskedActivities(this.#open);
    this.#conversation = new ConversationActivity(this.#open, calls, (name) => this.#isOurs(name));
    this.#beginStart();
  }

  /** The share that this moment counts for. */
  get share(): ShareName {
    return this.#open.share;
  }

  /** Whether a CLI starts, and has not said anything. */
  get isStarting(): boolean {
    return this.#open.get('start') !== undefined;
  }

  /**
   * The questions that wait for an answer, by their ids, and the pending calls. A question on the wire and the inspector's
   * question about it are one. It ends with the first answer; a withdrawal on the wire ends it only if the inspector has not
   * reported it.
   */
  get questions(): { id: string; isPending: boolean }[] {
    return [
      ...this.#open
        .keysOf('question')
        .map((key) => ({ id: key.slice(key.indexOf(' ') + 1), isPending: false })),
      ...this.#asked.pending.map((id) => ({ id, isPending: true })),
    ];
  }

  /** Takes an event, and its time as a `TimeReader` reads it. */
  push(event: TimedEvent, n: number, t: number): void {
    this.#open.t = t;
    this.#open.n = n;
    this.#endCalls();
    switch (event.type) {
      case 'header':
        this.#endCli();
        this.#hasCli = true;
        this.#beginStart();
        break;
      case 'frame':
        if (isRecord(event.frame)) this.#observe(event.frame, event.dir === 'in' ? 'in' : 'out');
        break;
      case 'pieces':
        this.#conversation.observePieces(event.kind, event.parent);
        break;
      case 'asked':
        this.#asked.begin(event.question);
        break;
      case 'settled':
        this.#settle(event.id, event.outcome);
        break;
      case 'completed':
        if (isRecord(event.frame)) this.#complete(event.frame);
        break;
      case 'input-end':
        this.#isInputOver = true;
        break;
      case 'terminate':
        this.#beginEnding();
        break;
      case 'suspended':
        if (event.waitsFor.length > 0) this.#beginHandlersAgain();
        this.#waitsFor = event.waitsFor;
        break;
      case 'end':
        this.#endCli();
        break;
      case 'over':
        this.#asked.clear();
        this.#endCli();
        break;
      default:
    }
    this.#beginCallsAgain();
    this.#beginWait();
    // A program that has nothing to answer ends the input at once, while the CLI goes on with its turn. So the ending
    // begins only after the turn.
    if (this.#isInputOver && !this.#open.get('turn')) this.#beginEnding();
  }

  #observe(frame: WireObject, side: 'in' | 'out'): void {
    // The type is checked first, because most frames are messages and need not be read as a request.
    switch (frame['type']) {
      case 'control_request': {
        const question = readWireQuestion(frame);
        if (question) this.#ask(question, side);
        break;
      }
      case 'control_response':
        this.#answer(frame, side);
        break;
      case 'control_cancel_request':
        this.#asked.cancel(wireKey(side, readCancel(frame) ?? ''));
        break;
      case 'keep_alive':
        break;
      default:
        if (side === 'in') this.#open.end('start');
        this.#conversation.observe(frame, side === 'out' && frame['type'] === 'user');
    }
  }

  #answer(frame: WireObject, side: 'in' | 'out'): void {
    const answered = readWireAnswer(frame);
    if (!answered) return;
    const key = wireKey(side === 'in' ? 'out' : 'in', answered.requestId);
    this.#asked.noteAnswer(key);
    this.#open.end(key, {
      isError: isFailure(frame, answered.value),
      isDenied: isDenial(answered.value),
    });
    if (side === 'in') this.#open.end('start');
  }

  #ask(question: WireQuestion, side: 'in' | 'out'): void {
    const { mcp, name, subtype, toolUseId, requestId, request } = question;
    if (side === 'out') {
      const servers = request['sdkMcpServers'];
      for (const server of Array.isArray(servers) ? servers : [])
        if (typeof server === 'string') this.#addOurs(server);
      const share = 'overhead';
      this.#open.begin(wireKey(side, requestId), { kind: 'request', name: mcp ? name : subtype, share });
      return;
    }
    if (mcp) this.#addOurs(mcp.server);
    // A notification is acknowledged at once, so the time until then means nothing.
    if (mcp && mcp.message['id'] === undefined) return;
    const call = mcp && this.#open.get(`call ${toolUseId}`);
    // The message shows that the program itself runs the call, so the time counts for the handler and not for the call.
    if (call) this.#open.recount(call, undefined);
    this.#open.begin(wireKey(side, requestId), { ...whoAnswers(question), name, toolUseId });
  }

  #addOurs(server: string): void {
    // The CLI replaces these characters when it uses a server's name in the name of a tool.
    this.#ours.add(`mcp__${server.replace(/[^a-zA-Z0-9_-]/g, '_')}__`);
  }

  #isOurs(toolName: string): boolean {
    for (const start of this.#ours) if (toolName.startsWith(start)) return true;
    return false;
  }

  #beginStart(): void {
    this.#open.begin('start', { kind: 'start', name: 'start', share: 'overhead' });
  }

  #beginEnding(): void {
    this.#open.begin('ending', { kind: 'ending', name: 'ending', share: 'overhead' });
  }

  #settle(id: string, outcome: string | undefined): void {
    const toolUseId = this.#asked.settle(id, outcome);
    if (this.#asked.isEmpty) this.#waitsFor = [];
    const call = this.#hasCli ? undefined : this.#open.get(`call ${toolUseId}`);
    // Without a CLI, the program itself runs its own tools; for others, a CLI starts.
    if (call && outcome !== 'denied') this.#open.recount(call, this.#isOurs(call.name) ? 'code' : 'overhead');
  }

  /** Counts the time for what the session waits for, if nothing that shows it is under way. */
  #beginWait(): void {
    if (this.#hasCli || this.#waitsFor.length === 0) this.#open.end('wait');
    else if (this.#open.share === 'idle') {
      const share = this.#waitsFor.includes('person') ? 'permission' : 'code';
      this.#open.begin('wait', { kind: 'turn', name: 'wait', share });
    }
  }

  /** Ends what ends with a CLI. What the inspector reports as open goes on, and so do the calls that it is about. */
  #endCli(): void {
    this.#hasCli = false;
    this.#isInputOver = false;
    this.#waitsFor = [];
    this.#open.end('start');
    this.#open.end('ending');
    const kept = this.#asked.keepWithoutCli();
    this.#cutWithCli = [];
    this.#open.cut((activity, key) => {
      if (kept.has(key) || activity.kind === 'call') return false;
      if (activity.kind === 'handler' && activity.toolUseId !== undefined) this.#cutWithCli.push(activity);
      return true;
    });
    this.#conversation.forget();
  }

  /** Begins the handlers again that ended with the last CLI, because their turn waits for them without a CLI. */
  #beginHandlersAgain(): void {
    for (const { kind, name, parent, toolUseId } of this.#cutWithCli)
      this.#open.begin(`${kind} ${toolUseId}`, { kind, name, parent, toolUseId, share: 'code' });
    this.#cutWithCli = [];
  }

  /** Ends the bars of the calls that the event ended, and says what became of those whose fate it changed. */
  #endCalls(): void {
    const { changed, ended } = this.#calls;
    for (const id of changed) {
      const activity = this.#shown.get(id);
      const fate = this.#calls.fateOf(id);
      // A call that was over and goes on gets another bar.
      const hasOther = fate === 'open' && activity?.end !== undefined;
      if (activity && !hasOther) Object.assign(activity, outcomeOf(fate));
      this.#conversation.recountCall(id);
    }
    for (const id of ended) this.#open.end(`call ${id}`, outcomeOf(this.#calls.fateOf(id)));
  }

  /** Begins the bars of calls again that were over, and of which the event says that they go on. */
  #beginCallsAgain(): void {
    for (const id of this.#calls.reopened) {
      const shown = this.#shown.get(id);
      if (!shown) continue;
      const { kind, name, parent, toolUseId } = shown;
      this.#open.begin(`call ${id}`, { kind, name, parent, toolUseId });
    }
  }

  /** Takes the completion of a call without a CLI. */
  #complete(frame: WireObject): void {
    const completed = completedOf(frame);
    if (!completed) return;
    const { toolUseId } = completed;
    this.#cutWithCli = this.#cutWithCli.filter((one) => one.toolUseId !== toolUseId);
    this.#open.end(`handler ${toolUseId}`);
  }
}

/** What the bar of a call says about what became of it. */
function outcomeOf(fate: CallFate | undefined): Pick<Activity, 'isError' | 'isDenied' | 'isCut'> {
  return { isError: fate === 'failed', isDenied: fate === 'denied', isCut: fate === 'cut' };
}
