// What a server would answer to the CLI's MCP handshake, collected ahead and sent along in `initialize`, so that the
// handshake costs no round trips.
import { isRecord } from '../../util/guards.js';
import type { McpServerManifest } from '../../wire/protocol/config/mcp-config.js';
import type { ForeignBinding } from './foreign/foreign-binding.js';
import type { ServerBinding } from './server/server-binding.js';
import { PROTOCOL_VERSION } from './server/server-catalog.js';

/** How long a foreign server may take before the CLI is left to ask for itself. */
const MANIFEST_LIMIT_MS = 200;

/** How the CLI introduces itself to servers: they are asked in its name, and cannot tell the difference. */
const CLIENT_INFO = {
  name: 'claude-code',
  title: 'Claude Code',
  websiteUrl: 'https://claude.com/claude-code',
};

/** The manifest of a server of ours. From then on the CLI is notified of changes. */
export function describeManifest(binding: ServerBinding): McpServerManifest {
  const { catalog } = binding;
  binding.noteHandshake();
  const initializeResult = catalog.describe(PROTOCOL_VERSION);
  const page = binding.listTools();
  const hasTools = isRecord(initializeResult['capabilities']) && 'tools' in initializeResult['capabilities'];
  if (!hasTools || !page || page.nextCursor !== undefined) return { initializeResult };
  return { initializeResult, toolsListResult: { tools: page.tools.map((tool) => ({ ...tool })) } };
}

/** The manifest of a foreign server: asked for, and undefined when it is slow, fails, or speaks another version. */
export async function captureManifest(
  binding: ForeignBinding,
  clientVersion: string,
): Promise<McpServerManifest | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new AbortController();
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      limit.abort(new Error(`the manifest took longer than ${MANIFEST_LIMIT_MS} ms`));
      resolve(undefined);
    }, MANIFEST_LIMIT_MS);
  });
  try {
    return await Promise.race([fetchManifest(binding, clientVersion, limit.signal), late]);
  } finally {
    clearTimeout(timer);
  }
}

async function fetchManifest(
  binding: ForeignBinding,
  clientVersion: string,
  signal: AbortSignal,
): Promise<McpServerManifest | undefined> {
  const ask = async (method: string, params?: Record<string, unknown>) => {
    const id = `manifest ${method}`;
    const carrier = { requestId: id, signal };
    const reply = await binding.answerRequest({ id, method, params, carrier });
    return isRecord(reply.result) ? reply.result : undefined;
  };
  const initializeResult = await ask('initialize', {
    protocolVersion: PROTOCOL_VERSION,
    capabilities: {},
    clientInfo: { ...CLIENT_INFO, version: clientVersion },
  });
  if (initializeResult?.['protocolVersion'] !== PROTOCOL_VERSION) return undefined;
  // A CLI that takes the manifest does not send this one.
  binding.notifyServer('notifications/initialized');
  const capabilities = initializeResult['capabilities'];
  if (!isRecord(capabilities) || !capabilities['tools']) return { initializeResult };
  const list = await ask('tools/list');
  if (!list || !Array.isArray(list['tools'])) return undefined;
  if (list['nextCursor'] !== undefined) return { initializeResult };
  return { initializeResult, toolsListResult: { ...list, tools: list['tools'] } };
}
