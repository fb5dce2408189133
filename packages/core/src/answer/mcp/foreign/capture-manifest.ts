// Goes through the MCP handshake with a foreign server (one that this library did not create) in the CLI's name, before the
// CLI does, and returns the answers.
import { isRecord } from '../../../util/guards.js';
import type { McpServerManifest } from '../../../wire/protocol/config/mcp-config.js';
import { PROTOCOL_VERSION } from '../server/server-catalog.js';
import type { ForeignBinding } from './foreign-binding.js';

/** How long a foreign server may take for its manifest. A CLI that gets no manifest asks the server itself. */
const MANIFEST_LIMIT_MS = 200;

/** How the CLI introduces itself to servers. The server is asked in the same words, so it sees no difference. */
const CLIENT_INFO = {
  name: 'claude-code',
  title: 'Claude Code',
  websiteUrl: 'https://claude.com/claude-code',
};

/** The manifest of a foreign server. Undefined when it is slow, fails, or speaks another version of the protocol. */
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
  // This is sent here because a CLI that gets the manifest does not send it.
  binding.notifyServer('notifications/initialized');
  const capabilities = initializeResult['capabilities'];
  if (!isRecord(capabilities) || !capabilities['tools']) return { initializeResult };
  const list = await ask('tools/list');
  if (!list || !Array.isArray(list['tools'])) return undefined;
  if (list['nextCursor'] !== undefined) return { initializeResult };
  return { initializeResult, toolsListResult: { ...list, tools: list['tools'] } };
}
