// The door `inboard/otel`: spans for queries, turns, answers of the model, tool calls and permission waits. Needs
// the package @opentelemetry/api.
export { tracedQuery, withTelemetry, type TelemetryOptions } from '../otel/with-telemetry.js';
export {
  clusterTelemetry,
  type ClusterTelemetryOptions,
  type OpenClusterTelemetry,
} from '../otel/cluster/cluster-telemetry.js';
