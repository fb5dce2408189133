// Checks the content of a reply for the fake CLI and the scripted model, and describes replies for error texts.
import { InvalidOptionsError } from '@inboard/core/errors.js';
import { isRecord } from '@inboard/core/util/guards.js';
import type { Reply } from './reply.js';

/** The steps that the fake CLI and the scripted model both accept, for error messages. */
const COMMON_STEPS =
  'text(), thinking(), toolUse(), structuredOutput(), reply() or apiError(), or pass a function that returns one';

/** The error for an invalid step of a script. `where` is the place of the step, as in `script[2]`. */
export function refuseStep(where: string, fault: string, advice = `Build it with ${COMMON_STEPS}`): Error {
  return new InvalidOptionsError([where], `${where} ${fault}. ${advice}.`);
}

/** Throws for content that a model cannot send. */
export function checkBlocks(blocks: unknown, where: string): void {
  if (!Array.isArray(blocks)) throw refuseStep(where, 'is not a reply');
  for (const block of blocks as unknown[]) {
    const fault = findFault(block);
    if (fault !== undefined) throw refuseStep(where, fault);
  }
}

function findFault(block: unknown): string | undefined {
  if (!isRecord(block)) return 'has a block that is not an object';
  switch (block['type']) {
    case 'text':
      return isPieces(block['text']) ? undefined : `has a text() with ${show(block['text'])}, not a string`;
    case 'thinking':
      return isPieces(block['thinking'])
        ? undefined
        : `has a thinking() with ${show(block['thinking'])}, not a string`;
    case 'tool_use':
      if (typeof block['name'] !== 'string' || block['name'] === '') {
        return `has a toolUse() without a name: ${show(block['name'])}`;
      }
      return isRecord(block['input'])
        ? undefined
        : `has a toolUse('${block['name']}') whose input is ${show(block['input'])}, not an object`;
    case 'raw':
      return isRecord(block['block']) ? undefined : 'has a block() that is not an object';
    default:
      return `has a block of the unknown type ${show(block['type'])}`;
  }
}

function isPieces(text: unknown): boolean {
  return (
    typeof text === 'string' || (Array.isArray(text) && text.every((piece) => typeof piece === 'string'))
  );
}

function show(value: unknown): string {
  return JSON.stringify(value) ?? typeof value;
}

/** A reply in a few words, for messages about a script. */
export function describeReply(reply: Reply): string {
  if ('status' in reply) return `status ${reply.status}`;
  const [first] = reply.blocks;
  if (first === undefined) return 'an empty message';
  switch (first.type) {
    case 'tool_use':
      return `toolUse(${reply.blocks.flatMap((block) => (block.type === 'tool_use' ? block.name : [])).join(', ')})`;
    case 'text':
      return `text(${JSON.stringify((typeof first.text === 'string' ? first.text : first.text.join('')).slice(0, 60))})`;
    case 'thinking':
      return 'thinking()';
    default:
      return first.block.type;
  }
}
