// Server-sent events, from the text as it arrives. The browser's own reader of them cannot send a header, and a secret has to be in one.

/** One message. */
export interface StreamMessage {
  name: string;
  id: string;
  data: string;
}

/** A message as this server writes it. */
const BLOCK = /^(?:id: (?<number>.*)\n)?event: (?<name>.*)\ndata: (?<data>.*)$/;

/** Gathers pieces of text, and gives the messages that are whole with each. */
export function createMessageReader(): (piece: string) => StreamMessage[] {
  /** What is not whole yet, in pieces: a long message is joined once. */
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
      // Others are comments, sent so that both sides notice a connection that is gone.
      return data === undefined ? [] : [{ name, id, data }];
    });
  };
}
