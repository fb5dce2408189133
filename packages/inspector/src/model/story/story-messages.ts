// Reads the messages of a session into the story: prompts, texts of the model, results of calls, ends of turns, and reports
// of the CLI.
import { asString, isRecord } from '@inboard/core/util/guards.js';
import {
  isStartedOnly,
  readOutcomes,
  type ToolOutcome,
} from '@inboard/core/record/trace/timeline/tool-outcome.js';
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';
import { completedOf, type CompletedCall } from '@inboard/core/wire/protocol/messages/completed-call.js';
import { blocksOf, bodyOf, textOf } from '@inboard/core/wire/protocol/messages/message-content.js';
import type { JoinedPieces } from '../../stream/inspector-event.js';
import type { KnownFacts } from '../facts/known-facts.js';
import { readAnswerItem } from './read-answer.js';
import { notice, readCliText, readNotice, readTaskNotice } from './read-notice.js';
import { readMedia } from './read-output.js';
import { StoryBranch } from './story-branch.js';
import type { StoryCalls } from './story-calls.js';
import type { CallItem, PromptStoryItem } from './story-item.js';
import type { EventPlace, StoryList } from './story-list.js';

/** Takes the messages of one session. */
export class StoryMessages {
  /** Whether the last turn failed, and was not interrupted. */
  hasFailed = false;
  readonly #list: StoryList;
  readonly #calls: StoryCalls;
  readonly #main: StoryBranch;
  readonly #branches = new Map<string, StoryBranch>();
  readonly #facts: KnownFacts;
  readonly #settings = new Map<'model' | 'mode', string>();
  #isInterrupted = false;
  #lastPrompt: PromptStoryItem | undefined;
  /** The prompts whose turns have not begun. */
  readonly #queued: PromptStoryItem[] = [];

  constructor(list: StoryList, calls: StoryCalls, facts: KnownFacts) {
    this.#facts = facts;
    this.#list = list;
    this.#calls = calls;
    this.#main = new StoryBranch(0, calls, (item) => list.add(item));
  }

  /** Takes a message of any type. */
  take(dir: 'in' | 'out', frame: WireObject, place: EventPlace): void {
    const parent = frame['parent_tool_use_id'];
    switch (frame['type']) {
      case 'stream_event':
        if (isRecord(frame['event'])) this.#branchOf(parent, place).stream(frame['event'], place);
        break;
      case 'assistant':
        this.#branchOf(parent, place).takeWhole(frame, place);
        break;
      case 'user':
        this.#user(dir, frame, place);
        break;
      case 'result':
        this.#result(frame, place);
        break;
      default:
        this.#other(frame, place);
    }
  }

  addPieces(pieces: JoinedPieces, place: EventPlace): void {
    this.#branchOf(pieces.parent, place).addPiece(pieces, place);
  }

  /** Adds a call that no message of the model announced. */
  beginCall(id: string, name: string, input: unknown, { n, t }: EventPlace): CallItem {
    const call = this.#calls.begin(id, name, { n, t, depth: 0 });
    this.#calls.setInput(call, input);
    this.#list.add(call);
    return call;
  }

  interrupt(place: EventPlace): void {
    this.#isInterrupted = true;
    this.#list.mark(notice('interrupt', 'Interrupted'), place);
  }

  /** Takes the present model or permission mode. Marks a change; the first value is only noted. */
  change(what: 'model' | 'mode', value: unknown, place: EventPlace): void {
    if (typeof value !== 'string') return;
    const before = this.#settings.get(what);
    this.#settings.set(what, value);
    if (before === undefined || before === value) return;
    const name = what === 'model' ? 'Model' : 'Permission mode';
    this.#list.mark(notice(what, `${name}: ${value}`, { detail: `Before: ${before}` }), place);
  }

  /** Ends all streaming, because the CLI has ended. */
  cutAll(t: number): void {
    this.#main.settle(t);
    for (const branch of this.#branches.values()) branch.settle(t);
    this.#branches.clear();
  }

  #user(dir: 'in' | 'out', frame: WireObject, place: EventPlace): void {
    const blocks = blocksOf(frame);
    const completed = completedOf(frame);
    if (completed) {
      this.#complete(completed, readOutcomes(frame, blocks)[0], place);
      return;
    }
    for (const outcome of readOutcomes(frame, blocks)) {
      const call = this.#calls.find(outcome.toolUseId);
      if (!call) continue;
      const isStarted = isStartedOnly(frame);
      // A result that came again says nothing new.
      if (!isStarted && !this.#facts.calls.answered.includes(outcome.toolUseId)) continue;
      this.#calls.finish(call, outcome, { n: place.n, isStarted });
      if (place.isCut) call.isCut = true;
      if (!isStarted) this.#endBranch(call, place.t);
    }
    const text = textOf(bodyOf(frame)['content']);
    const media = blocks.flatMap((block) => readMedia(block) ?? []);
    if (text === '' && media.length === 0) return;
    if (dir === 'in' && this.#isKnownText(frame, text, place)) return;
    const call = this.#calls.find(asString(frame['parent_tool_use_id']));
    // The prompt of a subagent is already shown as the input of its call.
    if (call && text === call.input?.['prompt']) return;
    const prompt: PromptStoryItem = {
      kind: 'prompt',
      key: `prompt ${place.n}`,
      n: place.n,
      t: place.t,
      depth: call ? call.depth + 1 : 0,
      text,
      media,
      messageId: asString(frame['uuid']),
      isFromCli: dir === 'in' && frame['isReplay'] !== true,
      isCut: place.isCut,
    };
    if (dir === 'out') this.#takePrompt(prompt);
    this.#list.add(prompt, call);
  }

  /** Numbers the turn that the last event began, if a prompt was sent for it while the turn before was still open. */
  numberTurn(): void {
    if (!this.#facts.turns.hasBegun) return;
    const prompt = this.#queued.shift();
    if (prompt) prompt.turn = this.#facts.turns.begun;
  }

  #takePrompt(prompt: PromptStoryItem): void {
    this.#lastPrompt = prompt;
    this.#queued.push(prompt);
  }

  /** Completes a call that was cut off. A call that no earlier event shows is added first. */
  #complete(completed: CompletedCall, outcome: ToolOutcome | undefined, place: EventPlace): void {
    const { toolUseId, toolName, input } = completed;
    const call = this.#calls.find(toolUseId) ?? this.beginCall(toolUseId, toolName, input, place);
    this.#calls.complete(call, completed, outcome, place);
    if (place.isCut) call.isCut = true;
  }

  /**
   * Handles a user text of the CLI that is not a new prompt: an echo, the output of a command, an interruption or a summary.
   * False for a prompt.
   */
  #isKnownText(frame: WireObject, text: string, place: EventPlace): boolean {
    const said = readCliText(text);
    if (said.kind === 'interrupted') {
      if (!this.#isInterrupted) this.interrupt(place);
      return true;
    }
    if (said.kind === 'output') {
      if (said.text !== '') this.#list.mark(notice('note', said.text), place);
      return true;
    }
    if (this.#lastPrompt?.text === text) {
      this.#lastPrompt.messageId ??= asString(frame['uuid']);
      return true;
    }
    const last = this.#list.items.at(-1);
    if (frame['isSynthetic'] === true && last?.kind === 'mark' && last.what === 'compaction') {
      last.detail = text;
      return true;
    }
    return false;
  }

  #result(frame: WireObject, place: EventPlace): void {
    this.#main.settle(place.t);
    const answer = readAnswerItem(frame, {
      n: place.n,
      t: place.t,
      used: this.#facts.tokens.last,
      timeOf: (reported) => this.#facts.turnTime(reported),
      wasInterrupted: this.#isInterrupted,
      lastText: this.#main.lastText?.text,
    });
    if (place.isCut) answer.isCut = true;
    this.hasFailed = !answer.ok && !answer.isInterrupted;
    this.#isInterrupted = false;
    this.#main.lastText = undefined;
    this.#list.add(answer);
  }

  #other(frame: WireObject, place: EventPlace): void {
    const call = this.#calls.find(asString(frame['tool_use_id']));
    switch (frame['subtype']) {
      case 'init':
        this.change('model', frame['model'], place);
        this.change('mode', frame['permissionMode'], place);
        break;
      case 'status':
        this.change('mode', frame['permissionMode'], place);
        break;
      case 'task_started':
        if (call && frame['task_type'] === 'local_agent')
          call.agent = asString(frame['subagent_type']) ?? call.agent ?? 'subagent';
        break;
      case 'task_progress':
        if (call && call.endT === undefined) call.progress = asString(frame['description']);
        break;
      case 'task_notification':
        this.#endTask(frame, call, place);
        break;
      default: {
        const told = readNotice(frame);
        if (told) this.#list.mark(told, place);
      }
    }
  }

  /** Takes the end of a background task. */
  #endTask(frame: WireObject, call: CallItem | undefined, place: EventPlace): void {
    const status = asString(frame['status']) ?? '';
    const summary = asString(frame['summary']) ?? '';
    if (call?.agent !== undefined && summary !== '') call.report = summary;
    if (call?.isBackground && call.endT === undefined) {
      if (summary !== '') call.output = [{ type: 'text', text: summary }];
      call.resultN = place.n;
      this.#endBranch(call, place.t);
    } else if ((!call || (call.endT !== undefined && call.agent === undefined)) && frame['ambient'] !== true)
      this.#list.mark(readTaskNotice(status, summary), place);
  }

  #endBranch({ toolUseId }: CallItem, t: number): void {
    this.#branches.get(toolUseId)?.settle(t);
  }

  #branchOf(parent: unknown, place: EventPlace): StoryBranch {
    if (typeof parent !== 'string') return this.#main;
    const known = this.#branches.get(parent);
    if (known) return known;
    const call = this.#calls.find(parent) ?? this.beginCall(parent, 'Task', {}, place);
    call.agent ??= 'subagent';
    const branch = new StoryBranch(call.depth + 1, this.#calls, (item) => this.#list.add(item, call));
    this.#branches.set(parent, branch);
    return branch;
  }
}
