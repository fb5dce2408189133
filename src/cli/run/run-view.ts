// What a run looks like in the terminal: the model's text on the standard output as it arrives; what the tools do and what
// the run cost on the standard error.
import type { SessionToolEvent } from '../../answer/mcp/tool/tool-events.js';
import type { SDKMessage } from '../../wire/protocol/messages/messages.js';
import type { Outcome } from '../../live/output/outcome.js';
import { countOf, textOrJson } from '../../util/message-of.js';
import { formatProgress, shorten } from '../terminal/short-texts.js';
import { createStyler, noteLine, printLine, type Terminal } from '../terminal/terminal.js';

const LONGEST_INPUT = 200;

/** Shows the messages and tool events of one run. */
export class RunView {
  readonly #terminal: Terminal;
  readonly #note: ReturnType<typeof createStyler>;
  readonly #streamed = new Set<string>();
  #current = '';
  #isLineOpen = false;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    this.#note = createStyler(terminal, 'stderr');
  }

  showMessage(message: SDKMessage): void {
    // What a subagent writes is not the answer.
    if ('parent_tool_use_id' in message && message.parent_tool_use_id) return;
    if (message.type === 'stream_event') this.#showEvent(message.event);
    if (message.type !== 'assistant' || this.#streamed.has(message.message.id)) return;
    for (const block of message.message.content) {
      if (block.type === 'text') {
        this.#closeLine();
        printLine(this.#terminal, block.text);
      }
    }
  }

  showToolEvent(event: SessionToolEvent): void {
    const name = this.#note('bold', event.toolName);
    switch (event.type) {
      case 'start':
        return this.#say(`${this.#note('cyan', '>')} ${name} ${shorten(event.input, LONGEST_INPUT)}`);
      case 'progress':
        return this.#say(`  ${name} ${describeProgress(event)}`);
      case 'log':
        return this.#say(`  ${name} ${event.level}: ${textOrJson(event.data)}`);
      case 'end':
        return this.#say(`${this.#note('green', '<')} ${name} done in ${Math.round(event.durationMs)} ms`);
      case 'error':
        return this.#say(`${this.#note('red', '<')} ${name} failed: ${event.error.message}`);
      case 'cancelled':
        return this.#say(`${this.#note('red', '<')} ${name} cancelled: ${event.reason.message}`);
    }
  }

  showOutcome({ ok, kind, text, turns, durationMs, costUsd }: Outcome): void {
    const verdict = ok ? this.#note('green', kind) : this.#note('red', kind);
    if (!ok && text !== '') this.#say(text);
    this.#say(
      `${verdict}, ${countOf(turns, 'turn')}, ${(durationMs / 1000).toFixed(1)} s, $${costUsd.toFixed(4)}`,
    );
  }

  warn(message: string): void {
    this.#say(`${this.#note('yellow', 'Warning:')} ${message}`);
  }

  #showEvent(event: Extract<SDKMessage, { type: 'stream_event' }>['event']): void {
    if (event.type === 'message_start') {
      this.#current = event.message.id;
    } else if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') {
      this.#streamed.add(this.#current);
      this.#isLineOpen = true;
      this.#terminal.stdout.write(event.delta.text);
    } else if (event.type === 'content_block_stop') {
      this.#closeLine();
    }
  }

  #say(line: string): void {
    this.#closeLine();
    noteLine(this.#terminal, line);
  }

  #closeLine(): void {
    if (this.#isLineOpen) this.#terminal.stdout.write('\n');
    this.#isLineOpen = false;
  }
}

function describeProgress(event: Extract<SessionToolEvent, { type: 'progress' }>): string {
  return event.inProcess ? formatProgress(event) : `runs for ${event.elapsedSeconds} s`;
}
