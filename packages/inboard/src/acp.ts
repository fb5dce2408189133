// The entry point `inboard/acp`: an agent with tools of this process for editors that speak the Agent Client Protocol. Needs
// the package @agentclientprotocol/sdk.
import { registerInspector } from '@inboard/core/live/watch/inspect-if-asked.js';
import { openInspector } from './open-inspector.js';
export { serveAcp } from '@inboard/acp/serve-acp.js';
export type { AcpOptions, ServeAcpInput } from '@inboard/acp/acp-options.js';
export { AcpError } from '@inboard/core/errors.js';
export type { AcpFault } from '@inboard/core/errors.js';

// INBOARD_INSPECT opens the inspector for sessions that this entry point starts.
registerInspector(openInspector);
