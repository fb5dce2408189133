// Checks the items of a fake CLI's script before they are played, so that an error names the step.
import { isRecord, isThenable } from '@inboard/core/util/guards.js';
import { checkBlocks, refuseStep } from '../../script/check-blocks.js';
import { ScriptGate } from '../../script/gate.js';
import type { MessageReply, RawReply, Reply } from '../../script/reply.js';
import type { FakeScriptItem } from './fake-step.js';

/** How a script is checked. */
export interface ScriptRules {
  /** The kinds of steps there are. */
  readonly kinds: ReadonlySet<string>;
  readonly isByHand: boolean;
}

/** Throws for items that the fake cannot play. The items that a function returns are checked after the call. */
export function checkScript(items: unknown, where: string, rules: ScriptRules): void {
  if (!Array.isArray(items)) throw refuseStep(where, 'is not a list of steps');
  for (const [index, item] of items.entries()) checkItem(item, `${where}[${index}]`, rules);
}

/** Throws for an item of a script that the fake cannot play. */
export function checkItem(item: unknown, where: string, rules: ScriptRules): void {
  if (typeof item === 'function') return;
  if (Array.isArray(item)) return checkScript(item, where, rules);
  if (!isRecord(item)) throw refuseStep(where, 'is not a step');
  const { do: kind } = item;
  if (kind !== undefined) {
    if (kind === 'inChunks') return checkScript(item['steps'], `${where}.steps`, rules);
    if (typeof kind === 'string' && rules.kinds.has(kind)) return;
    throw refuseStep(where, `is a step of the unknown kind ${JSON.stringify(kind)}`);
  }
  if (rules.isByHand) {
    throw refuseStep(
      where,
      'is a reply of the model, but a fake played by hand has no turns',
      'Write its messages with send() or raw()',
    );
  }
  checkReply(item as unknown as Reply, where);
}

/** Whether an item is a reply of the model. */
export function isReply(item: FakeScriptItem): item is Reply {
  return typeof item === 'object' && !Array.isArray(item) && !('do' in item);
}

/** The status, type and message of the API error in a reply. Undefined if the reply is no API error. */
export function readApiError({
  status,
  body,
}: RawReply): { status: number; type?: string; message: string } | undefined {
  const error = isRecord(body) && isRecord(body['error']) ? body['error'] : undefined;
  if (status < 400 || error === undefined) return undefined;
  const { type, message } = error;
  return { status, ...(typeof type === 'string' && { type }), message: String(message) };
}

const OF_THE_MODEL = [
  'cut',
  'headers',
  'usage',
  'model',
  'stopSequence',
  'eventDelayMs',
  'pings',
] as const satisfies (keyof MessageReply)[];

const ONLY_THE_MODEL = 'Leave it out, or run the script on startScriptedModel()';

function checkReply(reply: Reply, where: string): void {
  const { hold } = reply;
  if (hold !== undefined && !(hold.until instanceof ScriptGate) && !isThenable(hold.until)) {
    throw refuseStep(where, 'is held by something that is neither a gate nor a promise');
  }
  if (hold?.at !== undefined) {
    throw refuseStep(
      where,
      'is held at a point of its stream, which only the scripted model has',
      ONLY_THE_MODEL,
    );
  }
  if ('status' in reply) {
    if (reply.cut === undefined && readApiError(reply) !== undefined) return;
    throw refuseStep(
      where,
      `is an HTTP answer (status ${reply.status}), which only the scripted model can give`,
    );
  }
  checkBlocks(reply.blocks, where);
  const given = OF_THE_MODEL.find((name) => reply[name] !== undefined);
  if (given !== undefined) {
    throw refuseStep(where, `has "${given}", which only the scripted model knows`, ONLY_THE_MODEL);
  }
  checkOrder(reply, where);
}

function checkOrder({ blocks }: MessageReply, where: string): void {
  let hasCalls = false;
  for (const block of blocks) {
    if (block.type === 'raw') {
      throw refuseStep(where, 'has a block(), which only the scripted model sends', ONLY_THE_MODEL);
    }
    if (block.type === 'tool_use') {
      hasCalls = true;
      if (block.inputJson === undefined) continue;
      const fault = `gives toolUse('${block.name}') the option "inputJson", which only the scripted model knows`;
      throw refuseStep(where, fault, ONLY_THE_MODEL);
    }
    if (hasCalls) throw refuseStep(where, 'has content after its tool calls', 'Put the tool calls last');
  }
}
