// One session of a fake CLI as its host sees it: reads lines, complains about those that break the protocol,
// answers control requests, asks questions, and leaves. What it says when is up to its player.
import { isRecord } from '../../util/guards.js';
import { randomUUID } from 'node:crypto';
import { encodeFailure, encodeRequest, encodeSuccess } from '../../wire/protocol/codec.js';
import type { WireObject } from '../../wire/protocol/codec.js';
import { createDeferred } from '../../util/deferred.js';
import { ChangeSignal } from './change-signal.js';
import { INTERRUPTED, OVER } from './endings.js';
import { answerControl, type ControlAnswer } from './host/answer-control.js';
import { readConfiguredServers } from './host/launch-flags.js';
import { FakeConversation } from './player/fake-conversation.js';
import { ScriptPlayer } from './player/script-player.js';
import { PromptQueue } from './host/prompt-queue.js';
import { QuestionList, nameRequest, shorten, type Question } from './host/question-list.js';
import { HostServers, type Asked, type FakeHost } from './host/host-servers.js';
import type { FakeLogEntry, RunSettings } from './run-settings.js';
import { LineWriter, type LineKind } from './host/line-writer.js';
import type { FakeProgram, FakePipes } from './pipes/memory-pipes.js';
import type { FakeScript, Until } from './script/fake-step.js';
import { MessageWriter, type FakeLaunch } from './host/message-writer.js';

/** What a session is made of. */
export interface FakeRunParts {
  readonly index: number;
  readonly launch: FakeLaunch;
  readonly pipes: FakePipes;
  readonly script: FakeScript;
  readonly settings: RunSettings;
}

// Taken at once, so that a test with a clock of its own does not stop the fake.
const schedule = setImmediate;

const END_OF_INPUT = Symbol('end of input');

export class FakeRun implements FakeProgram, FakeHost {
  readonly index: number;
  readonly launch: FakeLaunch;
  readonly log: FakeLogEntry[] = [];
  readonly problems: string[] = [];
  /** The texts of the prompts, in order. */
  readonly promptTexts: string[] = [];
  readonly requests: WireObject[] = [];
  readonly writer: MessageWriter;
  readonly servers: HostServers;
  readonly prompts: PromptQueue;
  readonly questions: QuestionList;
  readonly changes = new ChangeSignal();
  readonly settings: RunSettings;
  readonly pipes: FakePipes;
  readonly output: LineWriter;
  readonly conversation: FakeConversation;
  readonly player: ScriptPlayer;
  readonly firstPrompt = createDeferred<string>();
  initialize: WireObject | undefined;
  ignoresEnd = false;
  isInputEnded = false;
  isOver = false;
  /** Answers held back, while they are. */
  held: Array<() => void> | undefined;
  readonly #inbox: Array<string | typeof END_OF_INPUT> = [];
  readonly #requestIds = new Set<string>();
  #isReading = false;
  #isReadDue = false;

  constructor({ index, launch, pipes, script, settings }: FakeRunParts) {
    this.index = index;
    this.launch = launch;
    this.pipes = pipes;
    this.settings = settings;
    this.output = new LineWriter(pipes, (line, frame) => this.#note('cli', line, frame));
    this.writer = new MessageWriter(launch, (message) => this.#write('message', JSON.stringify(message)));
    this.servers = new HostServers(this, launch.version);
    this.prompts = new PromptQueue(this.writer);
    this.questions = new QuestionList((problem) => this.complain(problem), settings.isStrict);
    this.firstPrompt.promise.catch(() => {});
    this.conversation = new FakeConversation(this);
    this.player = new ScriptPlayer(this, this.conversation);
    for (const name of readConfiguredServers(launch.args)) this.servers.add(name);
    this.player.start(script);
  }

  complain(problem: string): void {
    this.problems.push(problem);
  }

  // The way in.

  line(text: string): void {
    this.#inbox.push(text);
    this.#scheduleRead();
  }

  inputEnded(): void {
    this.#inbox.push(END_OF_INPUT);
    this.#scheduleRead();
  }

  gone(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.firstPrompt.reject(OVER);
    this.changes.notify();
  }

  /** From now on lines are read; before, the script's first steps may do what comes before any line. */
  startReading(): void {
    this.#isReading = true;
    this.#scheduleRead();
  }

  #scheduleRead(): void {
    if (this.#isReadDue || !this.#isReading || this.#inbox.length === 0) return;
    this.#isReadDue = true;
    schedule(() => {
      this.#isReadDue = false;
      for (const item of this.#inbox.splice(0)) this.#read(item);
      this.changes.notify();
    });
  }

  #read(item: string | typeof END_OF_INPUT): void {
    if (this.isOver) return;
    if (item === END_OF_INPUT) {
      this.#endInput();
      return;
    }
    const frame = this.#parse(item);
    this.#note('host', item, isRecord(frame) ? frame : undefined);
    if (frame === undefined) {
      this.complain(`a line that is not JSON: ${shorten(item)}`);
      this.leave({
        code: 1,
        stderr: `Error parsing streaming input line (type=unknown, ${item.length} chars)\n`,
      });
    } else if (isRecord(frame)) this.#take(frame);
    else this.complain(`a line that is JSON and no object: ${shorten(frame)}`);
  }

  #parse(line: string): unknown {
    try {
      return JSON.parse(line) as unknown;
    } catch {
      return undefined;
    }
  }

  #take(frame: WireObject): void {
    switch (frame['type']) {
      case 'control_request':
        this.#takeRequest(frame);
        return;
      case 'control_response':
        this.questions.take(frame);
        if (this.launch.args.includes('--replay-user-messages'))
          this.#write('message', JSON.stringify(frame));
        return;
      case 'user':
        this.#takePrompt(frame);
        return;
      default:
      // Whatever else there is, the real CLI passes over it too.
    }
  }

  #takePrompt(line: WireObject): void {
    if (!this.initialize) this.complain('a user message before initialize');
    const { message } = line;
    if (!isRecord(message) || message['role'] !== 'user') {
      this.complain(`a user line without a message of the role user: ${shorten(line)}`);
      this.leave({ code: 1, stderr: "Error: Expected message role 'user'\n" });
      return;
    }
    const prompt = this.prompts.add(line);
    if (!prompt) return;
    this.promptTexts.push(prompt.text);
    this.firstPrompt.resolve(prompt.text);
    if (this.conversation.isInTurn) this.prompts.announce();
  }

  #takeRequest(frame: WireObject): void {
    const { request_id: id, request } = frame;
    if (typeof id !== 'string' || !isRecord(request)) {
      this.complain(`a control_request without id or request: ${shorten(frame)}`);
      this.leave({ code: 1, stderr: 'Error: Missing request on control_request\n' });
      return;
    }
    if (this.#requestIds.has(id)) this.complain(`two control requests with the id ${id}`);
    this.#requestIds.add(id);
    this.requests.push(request);
    const answer = answerControl(request, {
      writer: this.writer,
      servers: this.servers,
      answers: this.settings.answers,
      initialize: (asked) => this.#initialize(asked),
      interrupt: () => this.conversation.interrupt(),
      cancelMessage: (uuid) => this.prompts.remove(uuid),
      stopTask: (task) => this.player.stopTask(task),
      connectServers: () => this.connectServers(),
    });
    this.#answer(id, answer);
  }

  #initialize(request: WireObject): ControlAnswer {
    if (this.initialize) {
      return this.writer.isOld
        ? { error: { message: 'Already initialized' } }
        : { response: this.writer.initializeReply(undefined) };
    }
    this.initialize = request;
    const { sdkMcpServers: names, sdkMcpServerManifests: manifests } = request;
    const parked: WireObject = {};
    for (const name of Array.isArray(names) ? names.map(String) : []) {
      const manifest = isRecord(manifests) && !this.writer.isOld ? manifests[name] : undefined;
      const fate = this.servers.add(name, manifest);
      if (fate !== undefined) parked[name] = fate;
    }
    // The newer CLI begins to connect before it answers, the older one with the first message.
    if (!this.writer.isOld) this.connectServers();
    return { response: this.writer.initializeReply(Object.keys(parked).length > 0 ? parked : undefined) };
  }

  /** Connects what is not connected; nobody waits here, and the end of the session ends it. */
  connectServers(): void {
    const connecting = Promise.all([this.conversation.connecting, this.servers.connect()]);
    connecting.catch(() => {});
    this.conversation.connecting = connecting;
  }

  #answer(id: string, answer: ControlAnswer): void {
    answer.before?.();
    const give = (): void => {
      if (answer.isSilent) return;
      const line = answer.error
        ? encodeFailure(id, answer.error.message, answer.error.code)
        : encodeSuccess(id, answer.response);
      this.#write('response', line);
      if (answer.isDoubled) this.#write('response', encodeSuccess(id, undefined));
    };
    if (this.held) this.held.push(give);
    else give();
    answer.after?.();
  }

  #endInput(): void {
    this.isInputEnded = true;
    if (this.ignoresEnd) return;
    for (const question of this.questions.listOpen()) {
      if (!question.isOptional && !question.isWithdrawn && !this.settings.mayEndEarly) {
        this.complain(`the input ended before ${nameRequest(question.request)} was answered`);
      }
      question.reply = { kind: 'input ended' };
    }
  }

  // The way out.

  ask(request: WireObject, { isOptional = false } = {}): Asked {
    const id = randomUUID();
    const question = this.questions.add(id, request, isOptional);
    if (this.isInputEnded && !this.ignoresEnd) {
      if (!isOptional && !this.settings.mayEndEarly) {
        this.complain(`the input ended before ${nameRequest(request)} could be asked`);
      }
      question.reply = { kind: 'input ended' };
    } else {
      this.#write('request', encodeRequest(id, request));
    }
    const isPartOfTurn = request['subtype'] !== 'mcp_message' || isToolCall(request);
    const reply = this.changes.until(() => {
      if (this.isOver) throw OVER;
      if (isPartOfTurn && this.conversation.isInterrupted) throw INTERRUPTED;
      return question.reply;
    });
    reply.catch(() => {});
    return { question, reply };
  }

  withdraw(question: Question): void {
    question.isWithdrawn = true;
    question.reply ??= { kind: 'cancelled' };
    this.changes.notify();
  }

  /** Withdraws a question by the control protocol's own word for it. */
  cancel(question: Question): void {
    if (question.reply !== undefined) return;
    this.#write('request', JSON.stringify({ type: 'control_cancel_request', request_id: question.id }));
    this.withdraw(question);
  }

  /** The same as soon as a promise of the test settles, however it does. */
  cancelWhen(question: Question, until: Until | undefined): void {
    if (!until) return;
    const cancel = (): void => this.cancel(question);
    void Promise.resolve(until).then(cancel, cancel);
  }

  #write(kind: LineKind, line: string): void {
    if (!this.isOver) this.output.write(kind, line);
  }

  /** Sends its last line of a kind again. */
  repeat(kind: LineKind): void {
    const id = this.output.repeat(kind);
    if (id !== undefined) this.questions.noteRepeated(id);
  }

  leave({ code = 0, signal, stderr = '' }: { code?: number; signal?: string; stderr?: string }): void {
    if (this.isOver) return;
    if (stderr !== '') this.pipes.stderr(stderr);
    this.pipes.end(signal === undefined ? { exitCode: code } : { signal });
    this.gone();
  }

  #note(from: FakeLogEntry['from'], line: string, frame: WireObject | undefined): void {
    const entry = { session: this.index, from, line, frame };
    this.log.push(entry);
    this.settings.onLogged(entry);
  }

  /** Everything that went wrong, as sentences. */
  listProblems(): string[] {
    if (this.settings.mayEndEarly) return this.problems;
    const owed = this.isOver ? [] : this.#listOwed();
    return [...this.problems, ...owed, ...this.player.listLeftOver()];
  }

  #listOwed(): string[] {
    return this.questions
      .listOpen()
      .filter(({ isOptional }) => !isOptional)
      .map(({ request }) => `${nameRequest(request)} has no answer`);
  }
}

function isToolCall({ message }: WireObject): boolean {
  return isRecord(message) && message['method'] === 'tools/call';
}
