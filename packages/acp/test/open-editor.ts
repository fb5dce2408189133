// An editor for tests: the client side of the protocol's own library, on streams in memory, and an agent whose CLIs are fake.
import { PassThrough, Readable, Writable } from 'node:stream';
import * as acp from '@agentclientprotocol/sdk';
import { onTestFinished } from 'vitest';
import type { AcpAgent } from '../src/acp-agent.js';
import { serveAgent, type AcpService } from '../src/serve-agent.js';
import {
  createFakeCli,
  type FakeCli,
  type FakeCliOptions,
  type FakeScript,
} from '@inboard/inboard/testing.js';

export const { methods } = acp;

export type Update = acp.SessionUpdate;
type PermissionHandler = (
  request: acp.RequestPermissionRequest,
  signal: AbortSignal,
) => acp.RequestPermissionResponse | Promise<acp.RequestPermissionResponse>;
type FormHandler = (request: acp.CreateElicitationRequest) => acp.CreateElicitationResponse;

export interface EditorInput {
  script: FakeScript;
  cli?: FakeCliOptions;
  service?: Partial<AcpService>;
  capabilities?: acp.ClientCapabilities;
  onPermission?: PermissionHandler;
  onForm?: FormHandler;
  /** Sees an update when it comes. */
  onUpdate?: (update: Update, sessionId: string) => void;
}

export interface Editor {
  fake: FakeCli;
  agent: acp.ClientContext;
  initialized: acp.InitializeResponse;
  updates: Update[];
  /** Whose update it is, in the same order. */
  owners: string[];
  asked: acp.RequestPermissionRequest[];
  forms: acp.CreateElicitationRequest[];
  notes: string[];
  /** The running agent itself. */
  served: AcpAgent | undefined;
  /** Settles when the agent is over. */
  over: Promise<void>;
  /** What the agent wrote, as it is. */
  written: () => string;
  /** Ends the input, as an editor does that is closed. */
  leave: () => void;
  stdin: PassThrough;
  open: (request?: Partial<acp.NewSessionRequest>) => Promise<acp.NewSessionResponse>;
  prompt: (sessionId: string, text: string) => Promise<acp.PromptResponse>;
}

/** Chooses an option by its id. */
export function choose(optionId: string): acp.RequestPermissionResponse {
  return { outcome: { outcome: 'selected', optionId } };
}

export const CANCELLED: acp.RequestPermissionResponse = { outcome: { outcome: 'cancelled' } };

/** Starts both sides and has them introduced to each other; ended with the test. */
export async function openEditor(input: EditorInput): Promise<Editor> {
  const { capabilities = {}, onPermission = () => choose('allow'), service = {} } = input;
  const fake = createFakeCli(input.script, { allowEarlyEnd: true, ...input.cli });
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  const written: Buffer[] = [];
  const shown = new PassThrough();
  stdout.on('data', (bytes: Buffer) => void written.push(bytes)).pipe(shown);
  const editor: Omit<Editor, 'agent' | 'initialized'> = {
    fake,
    updates: [],
    owners: [],
    asked: [],
    forms: [],
    notes: [],
    served: undefined,
    over: Promise.resolve(),
    written: () => Buffer.concat(written).toString(),
    leave: () => void stdin.end(),
    stdin,
    open: (request) =>
      agent.request(methods.agent.session.new, { cwd: process.cwd(), mcpServers: [], ...request }),
    prompt: (sessionId, text) =>
      agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text }] }),
  };
  const { options, ...rest } = service;
  editor.over = serveAgent({
    input: stdin,
    output: stdout,
    onNote: (line) => void editor.notes.push(line),
    options: { transport: fake.transport, closeGraceMs: 0, killGraceMs: 0, ...options },
    ...rest,
    onAgent: (served) => {
      editor.served = served;
    },
  });
  const connection = acp
    .client({ name: 'editor' })
    .onRequest(methods.client.session.requestPermission, async ({ params, signal }) => {
      editor.asked.push(params);
      return onPermission(params, signal);
    })
    .onRequest(methods.client.elicitation.create, ({ params }) => {
      editor.forms.push(params);
      return input.onForm?.(params) ?? { action: 'cancel' };
    })
    .onNotification(methods.client.session.update, ({ params }) => {
      editor.updates.push(params.update);
      editor.owners.push(params.sessionId);
      input.onUpdate?.(params.update, params.sessionId);
    })
    .connect(
      acp.ndJsonStream(
        Writable.toWeb(stdin) as WritableStream<Uint8Array>,
        Readable.toWeb(shown) as ReadableStream<Uint8Array>,
      ),
    );
  const { agent } = connection;
  onTestFinished(async () => {
    stdin.end();
    await editor.over;
    connection.close();
    await fake.close({ verify: false });
  });
  const initialized = await agent.request(methods.agent.initialize, {
    protocolVersion: acp.PROTOCOL_VERSION,
    clientCapabilities: capabilities,
  });
  return Object.assign(editor, { agent, initialized });
}

/** The texts of one kind of chunk, joined. */
export function textOf(updates: readonly Update[], kind: Update['sessionUpdate']): string {
  return updates
    .flatMap((update) =>
      update.sessionUpdate === kind && 'content' in update && !Array.isArray(update.content)
        ? [update.content]
        : [],
    )
    .map((content) => (content && content.type === 'text' ? content.text : ''))
    .join('');
}

/** The updates of one kind. */
export function ofKind<Kind extends Update['sessionUpdate']>(
  updates: readonly Update[],
  kind: Kind,
): Extract<Update, { sessionUpdate: Kind }>[] {
  return updates.filter(
    (update): update is Extract<Update, { sessionUpdate: Kind }> => update.sessionUpdate === kind,
  );
}

/** The code and message of a refused request. */
export async function refusal(request: Promise<unknown>): Promise<{ code: number; message: string }> {
  try {
    await request;
  } catch (error) {
    const { code, message } = error as { code: number; message: string };
    return { code, message };
  }
  throw new Error('The request was not refused');
}
