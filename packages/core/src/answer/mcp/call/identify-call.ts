// Which call a tool serves: its key, which outlives a restart, found out when somebody asks.
import { randomUUID } from '../../../util/random-uuid.js';
import type { CallIdentity, IdentifyCall, NamedCall } from '../../../wire/protocol/call-identity.js';
import type { CompiledTool } from '../tool/compiled-tool.js';
import type { AroundToolCall, ToolEventSource } from '../tool/tool-events.js';

/** The call as its conversation knows it; outside a conversation no call is ever made again. */
export function identifyCall(call: NamedCall, identify: IdentifyCall | undefined): CallIdentity {
  return identify?.(call) ?? { callKey: `call_${randomUUID().replaceAll('-', '')}`, attempt: 1 };
}

/** The call for `aroundTool`; its key is computed when it is read. */
export function describeAround(
  source: ToolEventSource,
  input: unknown,
  { onRepeat }: CompiledTool,
  identity: () => CallIdentity,
): AroundToolCall {
  return {
    ...source,
    input,
    ...(onRepeat && { onRepeat }),
    get callKey() {
      return identity().callKey;
    },
    get attempt() {
      return identity().attempt;
    },
  };
}
