// The names of spans and attributes. They follow the GenAI conventions of OpenTelemetry, which are still in development. A name
// that the conventions lack begins with `inboard.`. All names are in one file because the conventions change.
import type { Attributes } from '@opentelemetry/api';
import { isRecord } from '@inboard/core/util/guards.js';

export const PROVIDER = 'anthropic';

/** The operations. The name of a span begins with its operation. */
export const OPERATION = { agent: 'invoke_agent', chat: 'chat', tool: 'execute_tool' } as const;

export const ATTRIBUTE = {
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  agentName: 'gen_ai.agent.name',
  conversation: 'gen_ai.conversation.id',
  requestModel: 'gen_ai.request.model',
  responseModel: 'gen_ai.response.model',
  responseId: 'gen_ai.response.id',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  cacheReadTokens: 'gen_ai.usage.cache_read.input_tokens',
  cacheWriteTokens: 'gen_ai.usage.cache_creation.input_tokens',
  toolName: 'gen_ai.tool.name',
  toolType: 'gen_ai.tool.type',
  toolCallId: 'gen_ai.tool.call.id',
  toolArguments: 'gen_ai.tool.call.arguments',
  toolResult: 'gen_ai.tool.call.result',
  errorType: 'error.type',
  prompt: 'inboard.prompt',
  answer: 'inboard.answer',
  turn: 'inboard.turn.index',
  apiRequests: 'inboard.turn.api_requests',
  costUsd: 'inboard.cost_usd',
  turnCostUsd: 'inboard.turn.cost_usd',
  tokenType: 'gen_ai.token.type',
  parentToolCallId: 'inboard.parent_tool_call.id',
  decision: 'inboard.permission.decision',
  completed: 'inboard.tool.completed',
  completedBy: 'inboard.tool.completed.by',
  completedEdited: 'inboard.tool.completed.edited',
} as const;

/** The names of spans that the conventions do not define. */
export const SPAN = {
  start: 'inboard.start',
  turn: 'inboard.turn',
  permission: 'inboard.permission',
} as const;

export const METRIC = {
  chatDuration: 'gen_ai.client.operation.duration',
  tokens: 'gen_ai.client.token.usage',
  toolDuration: 'gen_ai.execute_tool.duration',
  turnDuration: 'gen_ai.invoke_agent.duration',
} as const;

/** The token counts of an API message or a result. */
export function readUsage(usage: unknown): Attributes {
  if (!isRecord(usage)) return {};
  const attributes: Attributes = {};
  const take = (from: string, to: string): void => {
    const value = usage[from];
    if (typeof value === 'number') attributes[to] = value;
  };
  take('input_tokens', ATTRIBUTE.inputTokens);
  take('output_tokens', ATTRIBUTE.outputTokens);
  take('cache_read_input_tokens', ATTRIBUTE.cacheReadTokens);
  take('cache_creation_input_tokens', ATTRIBUTE.cacheWriteTokens);
  return attributes;
}
