// The door `inboard/acp`: an agent with tools of this process for editors that speak the Agent Client Protocol. Needs the
// package @agentclientprotocol/sdk.
export { serveAcp } from '../acp/serve-acp.js';
export type { AcpOptions, ServeAcpInput } from '../acp/acp-options.js';
export { AcpError } from '../errors.js';
export type { AcpFault } from '../errors.js';
