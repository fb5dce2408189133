// Server-sent events as a browser reads them: name, id and data of each message.
import type { IncomingMessage } from 'node:http';

/** One message. */
export interface StreamMessage {
  name: string;
  id: number | undefined;
  data: string;
}

/** The messages in a text; what is not yet whole is left out. */
export function parseMessages(text: string): StreamMessage[] {
  return text
    .split('\n\n')
    .slice(0, -1)
    .flatMap((block) => {
      const fields = new Map(
        block.split(/\r\n|\r|\n/).map((line) => {
          const at = line.indexOf(': ');
          return [line.slice(0, at), line.slice(at + 2)] as const;
        }),
      );
      const name = fields.get('event');
      if (name === undefined) return [];
      const id = fields.has('id') ? Number(fields.get('id')) : undefined;
      return [{ name, id, data: fields.get('data') ?? '' }];
    });
}

/** A stream that is being read. */
export class StreamReader {
  readonly messages: StreamMessage[] = [];
  readonly response: IncomingMessage;
  #text = '';
  #heard = (): void => {};
  isOver = false;

  constructor(response: IncomingMessage) {
    this.response = response;
    response.setEncoding('utf8');
    response.on('data', (piece: string) => {
      this.#text += piece;
      const end = this.#text.lastIndexOf('\n\n') + 2;
      if (end === 1) return;
      this.messages.push(...parseMessages(this.#text.slice(0, end)));
      this.#text = this.#text.slice(end);
      this.#heard();
    });
    response.on('close', () => {
      this.isOver = true;
      this.#heard();
    });
    response.on('error', () => {});
  }

  /** The numbers of the events so far. */
  get numbers(): number[] {
    return this.messages.filter(({ name }) => name === 'event').map(({ id }) => id as number);
  }

  /** Resolves as soon as it is so, looked at whenever something came. */
  async waitFor(isSo: () => boolean): Promise<void> {
    while (!isSo()) await new Promise<void>((resolve) => (this.#heard = resolve));
  }

  /** Breaks the connection off. */
  drop(): void {
    this.response.destroy();
  }
}
