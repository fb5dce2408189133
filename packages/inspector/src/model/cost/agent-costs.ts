// What each subagent used. Its tokens are those of its messages. The CLI reports costs by model, not by subagent: a cost is
// known only if, in every turn, the subagent was the only one that used its models.
import {
  addTokens,
  noTokens,
  promptTokens,
  type AgentCost,
  type CountedRequest,
  type TurnCost,
} from './cost-types.js';

/** The subagents that made requests, in the order in which they began. */
export function sumAgents(
  requests: readonly CountedRequest[],
  turns: readonly TurnCost[],
  nameOf: (key: string) => string,
): AgentCost[] {
  const byAgent = new Map<string, CountedRequest[]>();
  const byShare = new Map<string, CountedRequest[]>();
  for (const request of requests) {
    if (request.parent !== null) gather(byAgent, request.parent, request);
    gather(byShare, shareKey(request), request);
  }
  return [...byAgent].map(([key, own]) => ({
    key,
    name: nameOf(key),
    n: own[0]?.n ?? 0,
    requests: own.length,
    tokens: own.reduce((sum, { tokens }) => addTokens(sum, tokens), noTokens()),
    costUsd: tellMoney(key, own, { byShare, turns }),
  }));
}

function tellMoney(
  key: string,
  own: readonly CountedRequest[],
  { byShare, turns }: { byShare: Map<string, CountedRequest[]>; turns: readonly TurnCost[] },
): number | undefined {
  let sum = 0;
  for (const share of new Set(own.map(shareKey))) {
    const together = byShare.get(share) ?? [];
    const [first] = together;
    if (!first || together.some(({ parent }) => parent !== key)) return undefined;
    const reported = turns[first.turn]?.models.find(({ model }) => model === first.model);
    // The CLI also makes requests by itself. Then it reports more tokens than the messages have.
    const counted = together.reduce((tokens, request) => tokens + promptTokens(request.tokens), 0);
    if (!reported || promptTokens(reported.tokens) !== counted) return undefined;
    sum += reported.costUsd;
  }
  return sum;
}

function shareKey({ turn, model }: CountedRequest): string {
  return `${turn} ${model}`;
}

function gather<Item>(groups: Map<string, Item[]>, key: string, item: Item): void {
  const group = groups.get(key);
  if (group) group.push(item);
  else groups.set(key, [item]);
}
