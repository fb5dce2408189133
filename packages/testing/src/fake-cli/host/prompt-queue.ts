// The prompts that the host has written and the fake CLI has not begun to answer. The queue decides which of them share a
// turn.
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';
import { bodyOf, textOf } from '@inboard/core/wire/protocol/messages/message-content.js';
import type { MessageWriter } from './message-writer.js';

/** A user line of the host. */
export interface HostPrompt {
  readonly text: string;
  readonly uuid: string | undefined;
  readonly line: WireObject;
  /** Whether the prompt is only added to the conversation and not answered. */
  readonly isSilent: boolean;
}

export class PromptQueue {
  readonly #writer: MessageWriter;
  readonly #waiting: HostPrompt[] = [];
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

  /** Adds a user line. Returns undefined if the line is dropped because its uuid was seen before. */
  add(line: WireObject): HostPrompt | undefined {
    const uuid = typeof line['uuid'] === 'string' ? line['uuid'] : undefined;
    if (uuid !== undefined && this.#seen.has(uuid)) return undefined;
    if (uuid !== undefined) this.#seen.add(uuid);
    const isSilent = line['shouldQuery'] === false && !this.#writer.isOld;
    const prompt = { text: textOf(bodyOf(line)['content']), uuid, line, isSilent };
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

  /** Reports each prompt that waits as queued, once. */
  announce(): void {
    for (const { uuid } of this.#waiting) this.#announceOne(uuid);
  }

  /**
   * Takes the prompts of the next turn. The first turn since the CLI was idle has one prompt. In later turns, the newer
   * CLI joins the prompts that wait. A slash command or a silent prompt is always alone.
   */
  takeTurn(isFirst: boolean): HostPrompt[] {
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

  /** Takes the prompts that become part of the open turn. */
  takeFolded(): HostPrompt[] {
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

function isPlain({ text, isSilent }: HostPrompt): boolean {
  return !isSilent && !text.startsWith('/');
}
