// Reads server-sent events from the text as it arrives. The browser's `EventSource` cannot be used, because it cannot send the
// header with the secret.

export interface StreamMessage {
  name: string;
  id: string;
  data: string;
}

/** A message as this server writes it. */
const BLOCK = /^(?:id: (?<number>.*)\n)?event: (?<name>.*)\ndata: (?<data>.*)$/;

/** Takes pieces of text, and gives the messages that each piece completes. */
export function createMessageReader(): (piece: string) => StreamMessage[] {
  /** The pieces of an incomplete message. They are joined once, even for a long message. */
  let rest: string[] = [];
  let id = '';
  return (piece) => {
    const isEnd = piece.includes('\n\n') || (piece.startsWith('\n') && rest.at(-1)?.endsWith('\n') === true);
    if (piece !== '') rest.push(piece);
    if (!isEnd) return [];
    const blocks = rest.join('').split('\n\n');
    rest = [blocks.pop() ?? ''];
    return blocks.flatMap((block) => {
      const { number = id, name = '', data } = BLOCK.exec(block)?.groups ?? {};
      id = number;
      // Blocks without data are comments, which keep the connection alive and reveal a broken one.
      return data === undefined ? [] : [{ name, id, data }];
    });
  };
}
