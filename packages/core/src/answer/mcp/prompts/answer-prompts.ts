// Answers the MCP methods about prompts. This file is loaded with the first such request.
import { asString } from '../../../util/guards.js';
import { refuseWith, replyWith, RPC_CODES, type RpcMessage } from '../binding/rpc-message.js';
import type { OfferRequest } from '../server/offer-request.js';
import { fillPrompt } from './fill-prompt.js';

/** Answers `prompts/list` and `prompts/get`; undefined for any other method. */
export async function answerPrompts(request: OfferRequest): Promise<RpcMessage | undefined> {
  const { id, method, params, catalog, context } = request;
  if (method === 'prompts/list') {
    const prompts = [...catalog.prompts].filter(({ enabled }) => enabled).map(({ listing }) => listing);
    return replyWith(id, { prompts });
  }
  if (method !== 'prompts/get') return undefined;
  const name = asString(params?.['name']);
  if (name === undefined) {
    const problem = 'prompts/get needs params with the "name" of the prompt as a string';
    return refuseWith(id, RPC_CODES.invalidParams, problem);
  }
  const outcome = await fillPrompt(catalog, { name, args: params?.['arguments'], context });
  return 'problem' in outcome
    ? refuseWith(id, RPC_CODES.invalidParams, outcome.problem)
    : replyWith(id, outcome.result);
}
