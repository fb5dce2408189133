// The frames of the control protocol, and the types of everything that either side may write. The channel matches answers
// to requests.
import type {
  SDKActiveGoalMessage,
  SDKCommandLifecycleMessage,
  SDKMessage,
  SDKSessionTitleChangedMessage,
} from '../messages/messages.js';
import type { TranscriptMirrorFrame } from '../config/session-store.js';
import type { SDKControlRequestInner, InboundRequest } from './control.js';

/** The frame of a request. It is answered once, unless its sender cancels it. */
export type SDKControlRequest<Request = SDKControlRequestInner | InboundRequest> = {
  type: 'control_request';
  /** Unique among the sender's open requests. */
  request_id: string;
  request: Request;
};

/** Requests of the CLI that were still open when it wrote this answer. The host may have received them before. */
export type PendingRequests = {
  pending_permission_requests?: SDKControlRequest[];
  pending_user_dialog_requests?: SDKControlRequest[];
  pending_elicitation_requests?: SDKControlRequest[];
};

/** The answer to a request that succeeded. */
export type ControlResponse = PendingRequests & {
  subtype: 'success';
  request_id: string;
  response?: unknown;
};

/** The answer to a request that was refused or failed. */
export type ControlErrorResponse = PendingRequests & {
  subtype: 'error';
  request_id: string;
  error: string;
  /** A stable name for the reason, like `unsupported_request`. */
  error_code?: string;
};

/** The frame of an answer. `response.request_id` says which request it answers. */
export type SDKControlResponse = {
  type: 'control_response';
  response: ControlResponse | ControlErrorResponse;
};

/** The sender cancels its own request. The cancellation gets no answer. A later answer to the request is ignored. */
export type SDKControlCancelRequest = { type: 'control_cancel_request'; request_id: string };

/** Sent to keep the connection alive; has no content. */
export type SDKKeepAliveMessage = { type: 'keep_alive'; startup_mark?: unknown };

/** Everything the CLI may write, one per line. */
export type StdoutMessage =
  | SDKMessage
  | SDKActiveGoalMessage
  | SDKCommandLifecycleMessage
  | SDKSessionTitleChangedMessage
  | SDKControlRequest<InboundRequest>
  | SDKControlResponse
  | SDKControlCancelRequest
  | SDKKeepAliveMessage
  | TranscriptMirrorFrame;

/** Everything the host may write, one per line. */
export type StdinMessage =
  | Extract<SDKMessage, { type: 'user' }>
  | SDKControlRequest<SDKControlRequestInner>
  | SDKControlResponse
  | SDKControlCancelRequest
  | SDKKeepAliveMessage;
