// Shows a run in the terminal. The model's text goes to the standard output as it arrives. The calls and results of tools,
// the status line and the costs go to the standard error.
import type { SessionToolEvent } from '@inboard/core/answer/mcp/tool/tool-events.js';
import type { SDKAssistantMessage, SDKMessage } from '@inboard/core/wire/protocol/messages/messages.js';
import { wantsLogin, type Outcome } from '@inboard/core/live/output/outcome.js';
import { isRecord } from '@inboard/core/util/guards.js';
import { countOf, textOrJson } from '@inboard/core/util/message-of.js';
import { excerpt, formatProgress, shorten } from '../terminal/short-texts.js';
import { StatusLine } from '../terminal/status-line.js';
import { describeContent } from '../terminal/tool-content.js';
import { styled, type TerminalText } from '../terminal/styled-text.js';
import {
  createStyler,
  noteLine,
  printLine,
  TerminalTextWriter,
  type Terminal,
} from '../terminal/terminal.js';

const LONGEST_INPUT = 200;
const LONGEST_ANSWER = 200;

/** Shows the messages and tool events of one run. */
export class RunView {
  readonly #terminal: Terminal;
  readonly #note: ReturnType<typeof createStyler>;
  readonly #streamed = new Set<string>();
  /** The ids of the calls that have started. One that starts again was cut off before, with its CLI. */
  readonly #started = new Set<string>();
  readonly #status: StatusLine;
  readonly #text: TerminalTextWriter;
  /** Output held back while a question is on the screen, because it could be taken for a part of the question. */
  #held: (() => void)[] = [];
  #write: (write: () => void) => void = (write) => write();
  #current = '';
  #isLineOpen = false;
  #isWaiting = false;
  #running = 0;
  #asking = 0;

  constructor(terminal: Terminal, { hasStatus = true }: { hasStatus?: boolean } = {}) {
    this.#terminal = terminal;
    this.#note = createStyler(terminal, 'stderr');
    this.#status = new StatusLine(terminal, hasStatus);
    this.#text = new TerminalTextWriter(terminal);
  }

  /** Sets the function through which whole lines are written, so that an open prompt can make room for them. */
  writeThrough(writer: (write: () => void) => void): void {
    this.#write = writer;
  }

  /** Shows in the status line what the run waits for, until something else is shown. */
  wait(what: string): void {
    this.#isWaiting = true;
    this.#status.set(what);
  }

  /** Ends the wait and removes the status line. */
  endWait(): void {
    this.#isWaiting = false;
    this.#running = 0;
    this.#closeLine();
    this.#status.set(undefined);
  }

  /** Runs `ask`, which puts a question on the screen. All other output waits until the question is answered. */
  async whileAsking<T>(ask: () => Promise<T>): Promise<T> {
    this.#asking += 1;
    this.#closeLine();
    this.#status.set(undefined);
    try {
      return await ask();
    } finally {
      this.#asking -= 1;
      if (this.#asking === 0) for (const show of this.#held.splice(0)) show();
      this.#waitForModel();
    }
  }

  showMessage(message: SDKMessage): void {
    if (this.#asking > 0) this.#held.push(() => this.#showMessage(message));
    else this.#showMessage(message);
  }

  #showMessage(message: SDKMessage): void {
    if (message.type === 'system' && message.subtype === 'init') this.#waitForModel();
    // The text of a subagent is not part of the answer.
    if ('parent_tool_use_id' in message && message.parent_tool_use_id) return;
    if (message.type === 'stream_event') this.#showEvent(message.event);
    if (message.type !== 'assistant' || this.#streamed.has(message.message.id)) return;
    for (const block of message.message.content) {
      if (block.type === 'text' && !isFailure(message, block.text)) {
        this.#closeLine();
        this.#write(() => printLine(this.#terminal, block.text));
      }
    }
  }

  showToolEvent(event: SessionToolEvent): void {
    if (this.#asking > 0) this.#held.push(() => this.#showToolEvent(event));
    else this.#showToolEvent(event);
  }

  #showToolEvent(event: SessionToolEvent): void {
    const name = this.#note('bold', event.toolName);
    if (event.type === 'start') this.#running += 1;
    else if (event.type !== 'progress' && event.type !== 'log') this.#running -= 1;
    this.#waitForModel();
    switch (event.type) {
      case 'start':
        return this.#say(
          styled`${this.#note('cyan', '>')} ${name}${this.#noteRepeat(event)} ${shorten(event.input, LONGEST_INPUT)}`,
        );
      case 'progress':
        return this.#say(styled`  ${name} ${describeProgress(event)}`);
      case 'log':
        return this.#say(styled`  ${name} ${event.level}: ${textOrJson(event.data)}`);
      case 'end':
        return this.#say(
          styled`${this.#note('green', '<')} ${name} done in ${Math.round(event.durationMs)} ms${describeAnswer(event.result)}`,
        );
      case 'error':
        return this.#say(styled`${this.#note('red', '<')} ${name} failed: ${event.error.message}`);
      case 'cancelled':
        return this.#say(styled`${this.#note('red', '<')} ${name} cancelled: ${event.reason.message}`);
    }
  }

  #noteRepeat({ toolUseId }: SessionToolEvent): string {
    if (toolUseId === undefined) return '';
    if (this.#started.has(toolUseId)) return ' (the call that was cut off, again)';
    this.#started.add(toolUseId);
    return '';
  }

  showOutcome({ ok, kind, text, turns, durationMs, turnCostUsd, totalCostUsd }: Outcome): void {
    this.endWait();
    const verdict = ok ? this.#note('green', kind) : this.#note('red', kind);
    // For an interruption, the CLI's text only describes its internal state.
    if (!ok && kind !== 'interrupted' && text !== '' && !wantsLogin(text)) this.#say(text);
    const total = totalCostUsd > turnCostUsd ? ` ($${totalCostUsd.toFixed(4)} so far)` : '';
    this.#say(
      styled`${verdict}, ${countOf(turns, 'turn')}, ${(durationMs / 1000).toFixed(1)} s, $${turnCostUsd.toFixed(4)}${total}`,
    );
  }

  warn(message: string): void {
    this.#say(styled`${this.#note('yellow', 'Warning:')} ${message}`);
  }

  note(line: string): void {
    this.#say(this.#note('dim', line));
  }

  #showEvent(event: Extract<SDKMessage, { type: 'stream_event' }>['event']): void {
    if (event.type === 'message_start') {
      this.#current = event.message.id;
    } else if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') {
      this.#streamed.add(this.#current);
      this.#status.set(undefined);
      this.#isLineOpen = true;
      this.#text.write(event.delta.text);
    } else if (event.type === 'content_block_stop') {
      this.#closeLine();
      this.#waitForModel();
    }
  }

  // Shows that the run waits for the model. While a tool runs there is no status line, because the tool has its own
  // line and may write to the terminal itself.
  #waitForModel(): void {
    if (!this.#isWaiting) return;
    const isFree = this.#running <= 0 && this.#asking === 0 && !this.#isLineOpen;
    this.#status.set(isFree ? 'Waiting for the model' : undefined);
  }

  #say(line: TerminalText): void {
    if (this.#asking > 0) return void this.#held.push(() => this.#say(line));
    this.#closeLine();
    this.#write(() => noteLine(this.#terminal, line));
  }

  #closeLine(): void {
    this.#status.hide();
    if (this.#isLineOpen) this.#text.endLine();
    this.#isLineOpen = false;
  }
}

/**
 * Whether a message reports a failure of the CLI and is not an answer. The outcome has the same text. Not all CLI
 * versions mark such a message, so its text is looked at too.
 */
function isFailure({ message, error }: SDKAssistantMessage, text: string): boolean {
  return error !== undefined || (message.model === '<synthetic>' && /^API Error|run \/login/.test(text));
}

function describeAnswer(result: unknown): string {
  const content = isRecord(result) && 'content' in result ? result['content'] : result;
  const answer = excerpt(describeContent(content).join('\n'), LONGEST_ANSWER);
  return answer === '' ? '' : `: ${answer}`;
}

function describeProgress(event: Extract<SessionToolEvent, { type: 'progress' }>): string {
  return event.inProcess ? formatProgress(event) : `running for ${event.elapsedSeconds} s`;
}
