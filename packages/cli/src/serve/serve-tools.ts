// `inboard serve`: offers the tools of a file to any MCP host.
import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { isLoopback } from '@inboard/core/util/loopback.js';
import { readSwitch, readText, readTexts, type CommandInput } from '../command.js';
import { readPort } from '../port-option.js';
import { loadTools, type LoadedTools } from '../tools-file/load-tools.js';
import { CONTEXT_EXPORT } from '../tools-file/client-context.js';
import { Bridge } from './bridge.js';
import { loadMcpLibrary, type McpLibrary } from './mcp-library.js';
import { serveHttp } from './serve-http.js';
import { keepFresh } from './keep-fresh.js';
import { guardOutput, serveStdio } from './serve-stdio.js';
import { noteLine, printLine } from '../terminal/terminal.js';
import { EXIT_CODES, UsageError } from '../terminal/usage-error.js';

const DEFAULT_PORT = 3000;
/** The value of `--token` that asks for a random token. */
const GENERATED = 'auto';

/** Serves until the command is stopped or, with `--stdio`, the input ends. The exit code is then 0. */
export async function serveTools(input: CommandInput): Promise<number> {
  const { terminal, args } = input;
  const isStdio = readSwitch(input, 'stdio');
  if (isStdio === readSwitch(input, 'http')) throw new UsageError('Give either --stdio or --http.');
  const file = resolve(terminal.cwd, args[0] ?? '');
  if (!isStdio) {
    const choice = readHttpOptions(input);
    const { library } = loadMcpLibrary(file);
    const tools = await loadTools(file, terminal.cwd);
    await serveOverHttp(input, { library, tools, ...chooseToken(choice, tools) });
    return EXIT_CODES.ok;
  }
  const { library, stdio } = loadMcpLibrary(file);
  // The output is reserved before the file is loaded, because the file may write to it while loading.
  const { stdout: output, restore } = guardOutput(terminal);
  try {
    const served = await openBridge(input, library, await loadTools(file, terminal.cwd));
    try {
      await serveStdio(served.bridge, { terminal, output, stdio });
    } finally {
      await served.close();
    }
  } finally {
    restore();
  }
  return EXIT_CODES.ok;
}

async function openBridge(
  input: CommandInput,
  library: McpLibrary,
  { file, servers, contextFor, warnings }: LoadedTools,
): Promise<{ bridge: Bridge; close: () => Promise<void> }> {
  const { terminal } = input;
  const note = (line: string): void => noteLine(terminal, line);
  const onWarning = (message: string): void => note(`Warning: ${message}`);
  for (const { message } of warnings) onWarning(message);
  const onRequest = readSwitch(input, 'verbose') ? note : undefined;
  const onlyClient = readSwitch(input, 'stdio') ? ({ via: 'stdio' } as const) : undefined;
  const bridge = await Bridge.open({ servers, contextFor, onlyClient, library, onWarning, onRequest });
  const stopWatching = readSwitch(input, 'watch') ? keepFresh(bridge, { file, note }) : undefined;
  return {
    bridge,
    close: async () => {
      await stopWatching?.();
      await bridge.close();
    },
  };
}

interface HttpChoice {
  host: string;
  port: number;
  /** The token as the user gave it. `auto` asks for a random one. */
  asked: string | undefined;
}

interface HttpPlace extends Omit<HttpChoice, 'asked'> {
  token: string | undefined;
  isTokenOurs: boolean;
}

function readHttpOptions(input: CommandInput): HttpChoice {
  const host = readText(input, 'host') ?? '127.0.0.1';
  const port = readPort(input) ?? DEFAULT_PORT;
  const asked = readText(input, 'token') ?? input.terminal.env['INBOARD_SERVE_TOKEN'];
  if (readText(input, 'token') !== undefined && asked !== GENERATED) {
    noteLine(
      input.terminal,
      'Warning: every user of this machine can read the token in the command line of this process. Set the variable INBOARD_SERVE_TOKEN instead of --token.',
    );
  }
  if (asked !== undefined && !/^[\w.~+/=-]+$/.test(asked)) {
    throw new UsageError('A token may contain only letters, digits and - . _ ~ + / =, as HTTP requires.');
  }
  return { host, port, asked };
}

// Chooses the token that all clients share. There is none if the tools file has `toolContext`: a request has only one
// bearer token, and then that token says which client asks.
function chooseToken({ host, port, asked }: HttpChoice, { contextFor }: LoadedTools): HttpPlace {
  if (contextFor !== undefined) {
    if (asked === undefined) return { host, port, token: undefined, isTokenOurs: false };
    throw new UsageError(
      `The export ${CONTEXT_EXPORT} of the tools file decides which tokens are accepted. Leave out --token and INBOARD_SERVE_TOKEN.`,
    );
  }
  const given = asked === GENERATED ? undefined : asked;
  const isTokenOurs = given === undefined && (asked === GENERATED || !isLoopback(host));
  return { host, port, token: isTokenOurs ? randomBytes(24).toString('base64url') : given, isTokenOurs };
}

async function serveOverHttp(
  input: CommandInput,
  { library, tools, isTokenOurs, ...place }: HttpPlace & { library: McpLibrary; tools: LoadedTools },
): Promise<void> {
  const { terminal } = input;
  const { signal } = terminal;
  const { bridge, close } = await openBridge(input, library, tools);
  try {
    const service = await serveHttp(bridge, {
      ...place,
      library,
      allowedHosts: readTexts(input, 'allow-host'),
      onError: (error) => noteLine(terminal, `inboard: ${error.message}`),
      onRefused: readSwitch(input, 'verbose') ? (line) => noteLine(terminal, line) : undefined,
    });
    printLine(terminal, `Serving ${bridge.name} at ${service.url}`);
    if (isTokenOurs) printLine(terminal, `Clients must send: Authorization: Bearer ${place.token}`);
    if (place.token === undefined && !bridge.asksForClients) {
      noteLine(
        terminal,
        'Every program and user on this machine can call these tools. To require a token, use --token auto.',
      );
    }
    if (!signal.aborted) {
      await new Promise((stopped) => signal.addEventListener('abort', stopped, { once: true }));
    }
    await service.close();
  } finally {
    await close();
  }
}
