// The door `inboard/acp`: an agent with tools of this process for editors that speak the Agent Client Protocol. Needs the
// package @agentclientprotocol/sdk.
import { registerInspector } from '../live/watch/inspect-if-asked.js';
import { openInspector } from './open-inspector.js';
export { serveAcp } from '../acp/serve-acp.js';
export type { AcpOptions, ServeAcpInput } from '../acp/acp-options.js';
export { AcpError } from '../errors.js';
export type { AcpFault } from '../errors.js';

// INBOARD_INSPECT opens the inspector for sessions that this entry point starts.
registerInspector(openInspector);
