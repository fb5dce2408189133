// One run of the fake CLI. It reads the lines of its host, reports lines that break the protocol as problems, and
// passes the others to the parts that act on them. The script player decides what the run writes, and when.
import { isRecord } from '@inboard/core/util/guards.js';
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';
import { bodyOf, textOf } from '@inboard/core/wire/protocol/messages/message-content.js';
import { shortenValue } from './host/answer-check.js';
import { answerControl } from './host/answer-control.js';
import { END_OF_INPUT } from './host/host-inbox.js';
import type { FakePipes, FakeProgram } from './pipes/fake-pipes.js';
import { FakeConversation } from './player/fake-conversation.js';
import { ScriptPlayer } from './player/script-player.js';
import { createRunParts, type RunParts } from './run-parts.js';
import type { RunStart } from './run-state.js';
import type { FakeScript } from './script/fake-step.js';

export class FakeRun implements FakeProgram {
  readonly parts: RunParts;
  readonly #conversation: FakeConversation;
  readonly #player: ScriptPlayer;
  readonly #requestIds = new Set<string>();

  constructor(start: RunStart, pipes: FakePipes, script: FakeScript) {
    const parts = createRunParts(start, pipes);
    this.parts = parts;
    this.#conversation = new FakeConversation(parts);
    this.#player = new ScriptPlayer(parts, this.#conversation);
    parts.inbox.deliverTo((item) => {
      if (parts.state.isOver) return;
      if (item === END_OF_INPUT) parts.host.endInput();
      else this.#read(item);
    });
    this.#player.start(script);
  }

  line(text: string): void {
    this.parts.inbox.add(text);
  }

  inputEnded(): void {
    this.parts.inbox.add(END_OF_INPUT);
  }

  gone(): void {
    this.parts.state.end();
  }

  /**
   * Whether the host broke no rule, and interrupted a turn or left before the script was over. The steps that are left are
   * then not the host's fault.
   */
  get isCutShort(): boolean {
    const { state } = this.parts;
    const isInterrupted = state.requests.some(({ subtype }) => subtype === 'interrupt');
    return state.problems.length === 0 && (isInterrupted || !state.hasLeft);
  }

  /** Whether the host should have gone on, because steps of the script are left. */
  get hasStepsLeft(): boolean {
    return !this.parts.state.settings.mayEndEarly && this.#player.listLeftOver().length > 0;
  }

  /** Everything that went wrong, as sentences. */
  listProblems(): string[] {
    const { state, host } = this.parts;
    if (state.settings.mayEndEarly) return state.problems;
    const owed = state.isOver ? [] : host.listOwed();
    return [...state.problems, ...owed, ...this.#player.listLeftOver()];
  }

  #read(line: string): void {
    const { state } = this.parts;
    let frame: unknown;
    try {
      frame = JSON.parse(line);
    } catch {
      // `frame` stays undefined, which is not the value of any JSON text.
    }
    state.record('host', line, isRecord(frame) ? frame : undefined);
    if (frame === undefined) {
      const stderr = `Error parsing streaming input line (type=unknown, ${line.length} chars)\n`;
      this.#refuse(`a line that is not JSON: ${shortenValue(line)}`, stderr);
    } else if (isRecord(frame)) this.#take(frame);
    else state.complain(`a line that is JSON but not an object: ${shortenValue(frame)}`);
  }

  #take(frame: WireObject): void {
    const { state, host, lines, taken } = this.parts;
    taken.add(frame);
    if (state.settings.isByHand) return this.#note(frame);
    switch (frame['type']) {
      case 'control_request':
        this.#takeRequest(frame);
        return;
      case 'control_response':
        host.takeResponse(frame);
        if (state.launch.args.includes('--replay-user-messages')) {
          lines.write('message', JSON.stringify(frame));
        }
        return;
      case 'user':
        this.#takePrompt(frame);
        return;
      default:
      // The real CLI ignores all other types too.
    }
  }

  /** Records a line without answering it, for a script that answers by hand. */
  #note(frame: WireObject): void {
    const { state, host } = this.parts;
    const { type, request } = frame;
    if (type === 'control_response') host.takeResponse(frame);
    else if (type === 'user') state.addPrompt(textOf(bodyOf(frame)['content']));
    else if (type === 'control_request' && isRecord(request)) {
      state.requests.push(request);
      if (request['subtype'] === 'initialize') state.initialize ??= request;
    }
  }

  #takePrompt(line: WireObject): void {
    const { state, prompts } = this.parts;
    if (!state.initialize) state.complain('a user message before initialize');
    const { message } = line;
    if (!isRecord(message) || message['role'] !== 'user') {
      const problem = `a user line without a message with the role user: ${shortenValue(line)}`;
      this.#refuse(problem, "Error: Expected message role 'user'\n");
      return;
    }
    const prompt = prompts.add(line);
    if (!prompt) return;
    state.addPrompt(prompt.text);
    if (this.#conversation.turn) prompts.announce();
    else this.#conversation.wake();
  }

  #takeRequest(frame: WireObject): void {
    const { state, host } = this.parts;
    const { request_id: id, request } = frame;
    if (typeof id !== 'string' || !isRecord(request)) {
      const problem = `a control_request without id or request: ${shortenValue(frame)}`;
      this.#refuse(problem, 'Error: Missing request on control_request\n');
      return;
    }
    if (this.#requestIds.has(id)) state.complain(`two control requests with the id ${id}`);
    this.#requestIds.add(id);
    state.requests.push(request);
    host.answer(id, answerControl(request, { ...this.parts, conversation: this.#conversation }));
  }

  /** Ends the run because of a line that makes the real CLI exit too. */
  #refuse(problem: string, stderr: string): void {
    this.parts.state.complain(problem);
    this.parts.host.leave({ code: 1, stderr });
  }
}
