// Answers the MCP method that suggests values for arguments of prompts and variables of uri templates. This file is
// loaded with the first such request.
import { quoteInput } from '../../../util/bounded-text.js';
import { asString, isRecord } from '../../../util/guards.js';
import { refuseWith, replyWith, RPC_CODES, type RpcMessage } from '../binding/rpc-message.js';
import type { OfferRequest } from '../server/offer-request.js';
import type { ServerCatalog } from '../server/server-catalog.js';
import type { Completer } from './completers.js';
import { explainMissing } from './fill-prompt.js';

/** The most values that MCP allows in one answer. */
const MOST_VALUES = 100;

/** Answers `completion/complete`; undefined for any other method. */
export async function answerCompletion(request: OfferRequest): Promise<RpcMessage | undefined> {
  const { id, method, params, catalog } = request;
  if (method !== 'completion/complete') return undefined;
  const { ref, argument, context } = params ?? {};
  const name = isRecord(argument) ? asString(argument['name']) : undefined;
  const value = isRecord(argument) ? asString(argument['value']) : undefined;
  const refuse = (problem: string): RpcMessage => refuseWith(id, RPC_CODES.invalidParams, problem);
  if (!isRecord(ref) || name === undefined || value === undefined) {
    return refuse('completion/complete needs params with a "ref" and an "argument" with "name" and "value"');
  }
  const subject = findSubject(catalog, ref);
  if (typeof subject === 'string') return refuse(subject);
  const chosen = isRecord(context) && isRecord(context['arguments']) ? context['arguments'] : {};
  const found = await suggest(subject(name), value, {
    ...request.context,
    arguments: chosen as Record<string, string>,
  });
  const values = found.slice(0, MOST_VALUES);
  const hasMore = found.length > MOST_VALUES;
  return replyWith(id, { completion: { values, total: found.length, hasMore } });
}

type FindCompleter = (argument: string) => Completer | undefined;

/** Finds the completers of a prompt or template, or says why there are none. */
function findSubject(catalog: ServerCatalog, ref: Record<string, unknown>): FindCompleter | string {
  if (ref['type'] === 'ref/prompt') {
    const prompt = catalog.findPrompt(String(ref['name']));
    return prompt?.enabled ? prompt.findCompleter : explainMissing(catalog, String(ref['name']));
  }
  if (ref['type'] === 'ref/resource') {
    const entry = [...catalog.resources].find(
      ({ enabled, listing }) => enabled && listing.uri === ref['uri'],
    );
    return (
      entry?.findCompleter ??
      `The server "${catalog.options.name}" has no resource template ${quoteInput(ref['uri'])}`
    );
  }
  return `The "ref" must be of type "ref/prompt" or "ref/resource", not ${quoteInput(ref['type'])}`;
}

async function suggest(
  completer: Completer | undefined,
  value: string,
  context: Parameters<Extract<Completer, (...given: never[]) => unknown>>[1],
): Promise<readonly string[]> {
  if (completer === undefined) return [];
  if (typeof completer === 'function') return (await completer(value, context)).map(String);
  const start = value.toLowerCase();
  return completer.filter((candidate) => candidate.toLowerCase().startsWith(start));
}
