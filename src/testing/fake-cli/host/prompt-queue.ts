// The prompts a host has written and the fake CLI has not answered yet, and which of them share a turn.
import { isRecord } from '../../../util/guards.js';
import type { WireObject } from '../../../wire/protocol/codec.js';
import type { MessageWriter } from './message-writer.js';

/** A user line of the host. */
export interface Prompt {
  readonly text: string;
  readonly uuid: string | undefined;
  readonly line: WireObject;
  /** Only to be remembered, not to be answered. */
  readonly isSilent: boolean;
}

export class PromptQueue {
  readonly #writer: MessageWriter;
  readonly #waiting: Prompt[] = [];
  readonly #seen = new Set<string>();
  readonly #announced = new Set<string>();

  constructor(writer: MessageWriter) {
    this.#writer = writer;
  }

  get length(): number {
    return this.#waiting.length;
  }

  get uuids(): string[] {
    return this.#waiting.flatMap(({ uuid }) => uuid ?? []);
  }

  /** Takes a user line; false when it is dropped because its uuid was there before. */
  add(line: WireObject): Prompt | undefined {
    const uuid = typeof line['uuid'] === 'string' ? line['uuid'] : undefined;
    if (uuid !== undefined && this.#seen.has(uuid)) return undefined;
    if (uuid !== undefined) this.#seen.add(uuid);
    const isSilent = line['shouldQuery'] === false && !this.#writer.isOld;
    const prompt = { text: textOfPrompt(line), uuid, line, isSilent };
    this.#waiting.push(prompt);
    return prompt;
  }

  remove(uuid: string): boolean {
    const index = this.#waiting.findIndex((prompt) => prompt.uuid === uuid);
    if (index === -1) return false;
    this.#waiting.splice(index, 1);
    this.#writer.lifecycle(uuid, 'cancelled');
    return true;
  }

  /** Tells of each that waits that it does. */
  announce(): void {
    for (const { uuid } of this.#waiting) this.#announceOne(uuid);
  }

  /** Takes those of the next turn: one, or after another turn all that wait, as the CLI's version has it. A command is always alone. */
  takeTurn(isFirst: boolean): Prompt[] {
    const first = this.#waiting.shift();
    if (!first) return [];
    const taken = [first];
    if (!isFirst && !this.#writer.isOld && isPlain(first)) {
      while (this.#waiting[0] && isPlain(this.#waiting[0])) taken.push(...this.#waiting.splice(0, 1));
    }
    for (const { uuid } of taken) {
      this.#announceOne(uuid);
      this.#writer.lifecycle(uuid, 'started');
    }
    this.announce();
    return taken;
  }

  /** Takes those that are slipped into a turn already under way. */
  takeFolded(): Prompt[] {
    const taken = this.#waiting.filter(isPlain);
    for (const prompt of taken) {
      this.#waiting.splice(this.#waiting.indexOf(prompt), 1);
      this.#writer.lifecycle(prompt.uuid, 'started');
    }
    return taken;
  }

  #announceOne(uuid: string | undefined): void {
    if (uuid === undefined || this.#announced.has(uuid)) return;
    this.#announced.add(uuid);
    this.#writer.lifecycle(uuid, 'queued');
  }
}

function isPlain({ text, isSilent }: Prompt): boolean {
  return !isSilent && !text.startsWith('/');
}

/** The text of a user line: its text blocks, joined. */
function textOfPrompt(line: WireObject): string {
  const content = isRecord(line['message']) ? line['message']['content'] : undefined;
  if (typeof content === 'string') return content;
  const blocks = Array.isArray(content) ? content.filter(isRecord) : [];
  return blocks.flatMap((block) => (typeof block['text'] === 'string' ? block['text'] : [])).join('\n');
}
