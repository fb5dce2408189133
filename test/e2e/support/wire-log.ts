// A log of every line between a query and its CLI, in the order in which they passed.
import type { Launch, Transport } from './inboard.js';

/** A parsed line. */
export type Line = Readonly<Record<string, unknown>>;

/** A line and who wrote it. */
export interface WireEntry {
  readonly from: 'cli' | 'host';
  readonly line: Line;
}

/** An MCP message of the CLI, out of the control request that carried it. */
export interface McpMessage {
  readonly server: string;
  readonly method: string;
  readonly id: unknown;
  readonly params: Line;
}

/** Remembers lines; wraps a launcher so that its transport is overheard. */
export class WireLog {
  readonly entries: WireEntry[] = [];
  /** The process at the other end, also when it is gone. */
  pid: number | undefined;
  readonly #waiting = new Set<{ fits: (entry: WireEntry) => boolean; take: (entry: WireEntry) => void }>();

  /** The same launcher, overheard. */
  overhear(launch: Launch): Launch {
    return async (input) => {
      const launched = await launch(input);
      return { ...launched, transport: this.#wrap(launched.transport) };
    };
  }

  /** The first entry that fits, past or to come. */
  waitFor(fits: (entry: WireEntry) => boolean): Promise<WireEntry> {
    const past = this.entries.find(fits);
    if (past !== undefined) return Promise.resolve(past);
    return new Promise((take) => {
      this.#waiting.add({ fits, take });
    });
  }

  /** The control requests of one side, by subtype. */
  requests(from: WireEntry['from'], subtype: string): Line[] {
    return this.entries
      .filter((entry) => entry.from === from && entry.line['type'] === 'control_request')
      .map((entry) => entry.line['request'] as Line)
      .filter((request) => request['subtype'] === subtype);
  }

  /** What the CLI told or asked in-process servers. */
  mcpMessages(): McpMessage[] {
    return this.requests('cli', 'mcp_message').map((request) => {
      const message = request['message'] as Line;
      return {
        server: String(request['server_name']),
        method: String(message['method']),
        id: message['id'],
        params: (message['params'] ?? {}) as Line,
      };
    });
  }

  /** Requests of the CLI that were answered more than once; there must never be one. */
  listDoubleAnswers(): string[] {
    const answered = this.entries
      .filter(({ from, line }) => from === 'host' && line['type'] === 'control_response')
      .map(({ line }) => String((line['response'] as Line)['request_id']));
    return answered.filter((id, index) => answered.indexOf(id) !== index);
  }

  /** Requests of the CLI that have no answer. */
  listUnanswered(): Line[] {
    const answered = new Set(
      this.entries
        .filter(({ from, line }) => from === 'host' && line['type'] === 'control_response')
        .map(({ line }) => (line['response'] as Line)['request_id']),
    );
    return this.entries
      .filter(({ from, line }) => from === 'cli' && line['type'] === 'control_request')
      .map(({ line }) => line)
      .filter((line) => !answered.has(line['request_id']));
  }

  #wrap(transport: Transport): Transport {
    const note = (from: WireEntry['from'], line: string): void => this.#note(from, line);
    return {
      get pid() {
        return transport.pid;
      },
      open: (receiver) => {
        transport.open({
          line: (line) => {
            note('cli', line);
            receiver.line(line);
          },
          fault: (error) => receiver.fault(error),
          closed: (end) => receiver.closed(end),
        });
        this.pid = transport.pid;
      },
      write: (line) => {
        note('host', line);
        return transport.write(line);
      },
      drained: () => transport.drained(),
      endInput: () => transport.endInput(),
      terminate: (options) => transport.terminate(options),
    };
  }

  #note(from: WireEntry['from'], text: string): void {
    const entry: WireEntry = { from, line: JSON.parse(text) as Line };
    this.entries.push(entry);
    for (const waiter of this.#waiting) {
      if (!waiter.fits(entry)) continue;
      this.#waiting.delete(waiter);
      waiter.take(entry);
    }
  }
}
