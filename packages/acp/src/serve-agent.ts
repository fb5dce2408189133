// Serves an agent to one editor: opens the streams, and cleans up at the end. `acp-agent` answers the requests.
import { Readable, Writable } from 'node:stream';
import { createSdkMcpServer } from '@inboard/core/answer/mcp/server/create-sdk-mcp-server.js';
import { InvalidOptionsError } from '@inboard/core/errors.js';
import { callListener, warnOfCallback } from '@inboard/core/util/call-listener.js';
import { claimOutput } from '@inboard/core/util/claim-output.js';
import { isRecord } from '@inboard/core/util/guards.js';
import { anyList, checkShape, inWords, notNegative, record } from '@inboard/core/util/option-shapes.js';
import { onAbort } from '@inboard/core/util/on-abort.js';
import type { McpServerConfig } from '@inboard/core/wire/protocol/config/mcp-config.js';
import { AcpAgent } from './acp-agent.js';
import { loadAcpLibrary, type AcpLibrary } from './acp-library.js';
import { DECIDED_BY_EDITOR, type ServeAcpInput } from './acp-options.js';

const IDLE_AFTER_MS = 600_000;
const CANCEL_GRACE_MS = 10_000;
const STRAY =
  'What tools and libraries write to standard output is shown here instead, because standard output belongs to the editor.';

/** The input of `serveAcp()`, and further fields that only the command and tests set. */
export interface AcpService extends ServeAcpInput {
  library?: AcpLibrary | undefined;
  cancelGraceMs?: number | undefined;
  /** Milliseconds after which an idle CLI is ended if `suspendAfterMs` is left out. */
  idleAfterMs?: number | undefined;
  /** Called with the agent before it answers anything. */
  onAgent?: ((agent: AcpAgent) => void) | undefined;
}

/** Serves an agent until its editor leaves. */
export async function serveAgent(service: AcpService): Promise<void> {
  checkInput(service);
  const { name = 'inboard', options = {}, signal, onNote } = service;
  const servers = collectServers(service, name);
  const note = (line: string): void => {
    if (onNote === undefined) process.stderr.write(`inboard: ${line}\n`);
    else
      callListener(
        () => onNote(line),
        (cause) => warnOfCallback('onNote', cause),
      );
  };
  // Standard output is claimed first, because anything that is loaded later may write to it.
  const claimed = service.output ? undefined : claimOutput(process.stdout, process.stderr, () => note(STRAY));
  try {
    const library = service.library ?? (await loadAcpLibrary());
    const agent = new AcpAgent({
      library,
      options,
      servers,
      name,
      note,
      suspendAfterMs: service.suspendAfterMs,
      idleAfterMs: service.idleAfterMs ?? IDLE_AFTER_MS,
      cancelGraceMs: service.cancelGraceMs ?? CANCEL_GRACE_MS,
    });
    service.onAgent?.(agent);
    await serve(agent, {
      library,
      input: service.input ?? process.stdin,
      output: service.output ?? claimed?.output ?? process.stdout,
      signal,
    });
  } finally {
    claimed?.restore();
  }
}

async function serve(
  agent: AcpAgent,
  {
    library,
    input,
    output,
    signal,
  }: { library: AcpLibrary; input: Readable; output: Writable; signal: AbortSignal | undefined },
): Promise<void> {
  const stream = library.ndJsonStream(
    Writable.toWeb(output) as WritableStream<Uint8Array>,
    Readable.toWeb(input) as ReadableStream<Uint8Array>,
  );
  const connection = agent.connect(stream);
  const release = signal && onAbort(signal, () => connection.close());
  try {
    await connection.closed;
  } finally {
    release?.();
    await agent.close();
  }
}

function collectServers(
  { tools = [], servers = {}, options = {} }: ServeAcpInput,
  name: string,
): Record<string, McpServerConfig> {
  const all: Record<string, McpServerConfig> = { ...options.mcpServers, ...servers };
  if (tools.length === 0) return all;
  if (Object.hasOwn(all, name)) {
    throw new InvalidOptionsError(
      ['tools', 'servers'],
      `"tools" become a server named "${name}", but "servers" already has one with that name. Give the agent another "name".`,
    );
  }
  return { ...all, [name]: createSdkMcpServer({ name, tools: [...tools] }) };
}

const PUBLIC = [
  'tools',
  'servers',
  'options',
  'name',
  'input',
  'output',
  'signal',
  'onNote',
  'suspendAfterMs',
];
const INPUT = new Set([...PUBLIC, 'library', 'cancelGraceMs', 'idleAfterMs', 'onAgent']);

function checkInput(input: unknown): void {
  if (!isRecord(input)) {
    throw new InvalidOptionsError([], 'serveAcp takes one object, such as { servers, options }');
  }
  for (const key of Object.keys(input)) {
    if (INPUT.has(key)) continue;
    throw new InvalidOptionsError(
      [key],
      `serveAcp has no option "${key}". Options of the CLI go into "options": serveAcp({ servers, options: { … } })`,
    );
  }
  const { suspendAfterMs, tools, servers, options = {} } = input;
  if (!isRecord(options)) throw new InvalidOptionsError(['options'], '"options" must be an object');
  for (const key of DECIDED_BY_EDITOR) {
    if (options[key] === undefined) continue;
    throw new InvalidOptionsError(
      [key],
      `The option "${key}" is decided by the editor and its user; leave it out of serveAcp`,
    );
  }
  checkShape('suspendAfterMs', suspendAfterMs, inWords('a number of milliseconds, 0 for never', notNegative));
  checkShape('tools', tools, inWords('a list of what tool() returned', anyList));
  checkShape('servers', servers, inWords('an object of MCP servers by name', record));
}
