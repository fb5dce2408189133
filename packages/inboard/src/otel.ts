// The entry point `inboard/otel`: spans and metrics for queries, turns, answers of the model, tool calls, permission
// questions and clusters. Needs the package @opentelemetry/api.
import { registerInspector } from '@inboard/core/live/watch/inspect-if-asked.js';
import { openInspector } from './open-inspector.js';
export { tracedQuery, withTelemetry, type TelemetryOptions } from '@inboard/otel/with-telemetry.js';
export {
  clusterTelemetry,
  type ClusterTelemetryOptions,
  type OpenClusterTelemetry,
} from '@inboard/otel/cluster/cluster-telemetry.js';
export type { ClusterNumbers } from '@inboard/cluster/numbers/measure.js';

// INBOARD_INSPECT opens the inspector for sessions that this entry point starts.
registerInspector(openInspector);
