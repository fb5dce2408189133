// Shows the session of the demo: one line per event, with the time and who caused the event.
import type { SessionToolEvent } from '@inboard/core/answer/mcp/tool/tool-events.js';
import type { SDKMessage } from '@inboard/core/wire/protocol/messages/messages.js';
import { outcomeOf } from '@inboard/core/live/output/outcome.js';
import { styled, type Style } from '../terminal/styled-text.js';
import { createStyler, printLine, type Terminal } from '../terminal/terminal.js';
import { lineWidthOf, wrapWords } from '../terminal/wrap-words.js';

const STYLES = {
  you: 'bold',
  model: 'cyan',
  tool: 'green',
  control: 'yellow',
  mcp: 'magenta',
  cli: 'dim',
  wire: 'dim',
  result: 'bold',
} as const satisfies Record<string, Style>;

// As wide as the time and who caused the event.
const INDENT = ' '.repeat(20);

/** The fields of a frame that the demo reads: those of a control request, and those of a control response. */
interface Frame {
  type?: string;
  request_id?: string;
  request?: { subtype?: string; message?: { method?: string; id?: unknown } };
  response?: {
    subtype?: string;
    request_id?: string;
    response?: { mcp_response?: { id?: unknown } | null };
  };
}

/** Shows one session; times count from when the view was created. */
export class DemoView {
  readonly #terminal: Terminal;
  readonly #showsWire: boolean;
  readonly #style: ReturnType<typeof createStyler>;
  readonly #columns: number;
  readonly #started = performance.now();

  constructor(terminal: Terminal, showsWire: boolean) {
    this.#terminal = terminal;
    this.#showsWire = showsWire;
    this.#style = createStyler(terminal);
    this.#columns = lineWidthOf(terminal);
  }

  show(who: keyof typeof STYLES, what: string): void {
    const at = String(Math.round(performance.now() - this.#started)).padStart(6);
    // A line of the wire is not wrapped, because line breaks would make it wrong JSON.
    const text = who === 'wire' ? what : wrapWords(what, { columns: this.#columns, indent: INDENT });
    printLine(this.#terminal, styled`${at} ms  ${this.#style(STYLES[who], who.padEnd(8))} ${text}`);
  }

  /** Shows the control frame in a line of the wire, or the MCP message inside the frame. `--wire` shows every whole line. */
  showLine(direction: 'in' | 'out', line: string): void {
    const arrow = direction === 'out' ? '->' : '<-';
    if (this.#showsWire) this.show('wire', `${arrow} ${line}`);
    const frame = readFrame(line);
    const { request, response } = frame;
    if (request?.subtype === 'mcp_message') {
      const { method, id } = request.message ?? {};
      this.show(
        'mcp',
        `${arrow} ${method ?? 'answer'}${name(id)} (carried by control request ${cut(frame.request_id)})`,
      );
    } else if (request) {
      this.show('control', `${arrow} request ${request.subtype}`);
    } else if (frame.type === 'control_response') {
      const answer = response?.response?.mcp_response;
      if (answer)
        this.show('mcp', `${arrow} answer${name(answer.id)} (in the reply to ${cut(response.request_id)})`);
      else this.show('control', `${arrow} reply ${response?.subtype}`);
    }
  }

  showToolEvent(event: SessionToolEvent, guests: readonly string[]): void {
    if (event.type === 'start') {
      this.show(
        'tool',
        `runs in this process, pid ${process.pid}: ${event.toolName} ${JSON.stringify(event.input)}`,
      );
    } else if (event.type === 'end') {
      this.show(
        'tool',
        `done in ${event.durationMs.toFixed(1)} ms; the program now has ${guests.length} guests: ${guests.join(', ')}`,
      );
    }
  }

  showMessage(message: SDKMessage, pid: number | undefined): void {
    if (message.type === 'system' && message.subtype === 'init') {
      const tools = message.tools.filter((tool) => tool.startsWith('mcp__')).join(', ');
      this.show('cli', `Claude CLI ${message.claude_code_version}, pid ${pid}, lists ${tools}`);
    } else if (message.type === 'assistant') {
      for (const block of message.message.content) {
        if (block.type === 'text') this.show('model', block.text);
        if (block.type === 'tool_use')
          this.show('model', `wants ${block.name} ${JSON.stringify(block.input)}`);
      }
    } else if (message.type === 'result') {
      const { kind, turns, totalCostUsd } = outcomeOf(message);
      this.show('result', `${kind}, ${turns} turns, $${totalCostUsd.toFixed(4)}`);
    }
  }
}

function readFrame(line: string): Frame {
  try {
    return JSON.parse(line) as Frame;
  } catch {
    return {};
  }
}

function name(id: unknown): string {
  return typeof id === 'string' || typeof id === 'number' ? ` #${id}` : '';
}

function cut(id: string | undefined): string {
  return id?.slice(0, 8) ?? '?';
}
