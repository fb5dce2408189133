// Collects the text of a body that comes in pieces, up to a limit. The caller reads the pieces, and decides what to do
// with a body that is too long.

export class BoundedBody {
  readonly #mostBytes: number;
  readonly #decoder = new TextDecoder();
  #text = '';
  #bytes = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** How many bytes have come, including those beyond the limit. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Whether more bytes have come than the limit allows. */
  get isTooLong(): boolean {
    return this.#bytes > this.#mostBytes;
  }

  /** Takes one more piece. Nothing is kept of a body that is too long. */
  add(piece: Uint8Array): void {
    this.#bytes += piece.length;
    this.#text = this.isTooLong ? '' : this.#text + this.#decoder.decode(piece, { stream: true });
  }

  /** The whole text. Undefined if the body is too long. */
  end(): string | undefined {
    return this.isTooLong ? undefined : this.#text + this.#decoder.decode();
  }
}
