// The names of subagents, taken from the calls that started them.
import { asString, isRecord } from '@inboard/core/util/guards.js';
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';
import { blocksOf } from '@inboard/core/wire/protocol/messages/message-content.js';
import { startsAgent } from '../story/tool-name.js';

/** The names of a session's subagents, by the ids of the calls that started them. */
export class AgentNames {
  readonly #names = new Map<string, string>();

  observe(frame: WireObject): void {
    if (frame['type'] !== 'assistant') return;
    for (const { type, id, name, input } of blocksOf(frame)) {
      if (type !== 'tool_use' || typeof id !== 'string' || !startsAgent(asString(name) ?? '')) continue;
      const { subagent_type: kind, description } = isRecord(input) ? input : {};
      const parts = [kind, description].filter((part) => typeof part === 'string' && part !== '');
      this.#names.set(id, parts.join(': ') || 'subagent');
    }
  }

  nameOf(key: string): string {
    return this.#names.get(key) ?? 'subagent';
  }
}
