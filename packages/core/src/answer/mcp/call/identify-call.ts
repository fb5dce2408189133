// Finds the call key of a tool's call, which is the same after a restart. The key is computed only when it is read.
import { randomUUID } from '../../../util/random-uuid.js';
import type { CallIdentity, IdentifyCall, NamedCall } from '../../../wire/protocol/call-identity.js';
import type { CompiledTool } from '../tool/compiled-tool.js';
import type { AroundToolCall, ToolEventSource } from '../tool/tool-events.js';

/** The identity of the call in its conversation. Outside a conversation every call is a new one. */
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
