// Answers requests about prompts, resources and completion. Each gets one reply, and can be cancelled like a tool call.
// The code that finds the answer is loaded with the first request, so a server that has only tools never loads it.
import { quoteInput } from '../../../util/bounded-text.js';
import { loadPart } from '../../../util/load-part.js';
import { onAbort } from '../../../util/on-abort.js';
import type { OpenCall } from '../binding/cli-link.js';
import type { RpcRequest } from '../binding/route-message.js';
import { readParams, refuseWith, RPC_CODES, type RpcMessage } from '../binding/rpc-message.js';
import { asError, describeFailure } from '../result/describe-failure.js';
import type { BoundCatalog } from './bound-catalog.js';
import type { AnswerOffer } from './offer-request.js';

/** The answerers, by the first part of a method's name. */
const ANSWERERS: Readonly<Record<string, () => Promise<AnswerOffer>>> = {
  prompts: async () => (await loadPart(() => import('../prompts/answer-prompts.js'))).answerPrompts,
  completion: async () => (await loadPart(() => import('../prompts/answer-completion.js'))).answerCompletion,
  resources: async () => (await loadPart(() => import('../resources/answer-resources.js'))).answerResources,
};

/** Answers a request about prompts, resources or completion. Undefined if the server has nothing of the kind asked for. */
export function answerOffer(server: BoundCatalog, request: RpcRequest): Promise<RpcMessage> | undefined {
  const [area = ''] = request.method.split('/');
  const load = server.catalog.offers(area) && Object.hasOwn(ANSWERERS, area) ? ANSWERERS[area] : undefined;
  return load && settleOnce(server, request, load);
}

/** The reply of the answerer. If the request is cancelled first, the reply says so. */
function settleOnce(
  { link, catalog, watched }: BoundCatalog,
  request: RpcRequest,
  load: () => Promise<AnswerOffer>,
): Promise<RpcMessage> {
  const { id, method, carrier } = request;
  const controller = new AbortController();
  const answer = async (): Promise<RpcMessage> => {
    const answerRequest = await load();
    const context = {
      signal: controller.signal,
      sessionId: link.port.sessionId(),
      server: link.name,
      context: link.context,
    };
    const asked = { id, method, params: readParams(request), catalog, context, watched };
    const reply = await link.port.scope.runInAsyncScope(() => answerRequest(asked));
    return reply ?? refuseWith(id, RPC_CODES.methodNotFound, `Method not found: ${quoteInput(method)}`);
  };
  return new Promise((resolve) => {
    const settle = (reply: RpcMessage): void => {
      link.calls.delete(call);
      stopWatching?.();
      resolve(reply);
    };
    const refuse = (problem: string): void => settle(refuseWith(id, RPC_CODES.internalError, problem));
    const call: OpenCall = {
      id,
      cancel(reason) {
        controller.abort(reason);
        refuse(`The request "${method}" was cancelled: ${reason.message}`);
      },
    };
    const stopWatching =
      carrier && onAbort(carrier.signal, () => call.cancel(asError(carrier.signal.reason)));
    link.calls.set(call, call);
    answer().then(settle, (error: unknown) =>
      refuse(`The request "${method}" failed: ${describeFailure(error)}`),
    );
  });
}
