// A Messages API on loopback that answers from a script, records every request, and reports at the end what did not
// follow the script. It never reaches another host and needs no key. Probes (HEAD, GET), `count_tokens` and the CLI's
// side requests (see classify-request.ts) are answered without a step. Any other request without a step gets an error
// after which no client asks again, and makes `verify()` and `close()` throw.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { ScriptMismatchError, SessionClosedError } from '@inboard/core/errors.js';
import { RequestClassifier } from './classify-request.js';
import { ModelAnswers, type ScriptedModelOptions } from './model-answers.js';
import { apiError, type Step } from '../script/reply.js';
import { createContext } from './model-context.js';
import type { ModelRequest, RequestOutcome } from './model-request.js';
import { readRequest } from './read-request.js';
import type { LocatedStep } from './model-script.js';
import { callWithContext } from '../script/script-context.js';
import { warnOfRest } from '../script/left-early.js';
import { checkReply } from './check-step.js';
import { RequestLog } from './request-log.js';
import { sendReply, waitUnlessGone, type Exchange } from './send-reply.js';

/**
 * A running model. The caller closes it. If the clients left before the script was over, as when a test fails, `await
 * using` only warns.
 */
export interface ScriptedModel extends AsyncDisposable {
  /** The model's address, for ANTHROPIC_BASE_URL. */
  readonly url: string;
  /** Every request in order of arrival. */
  readonly requests: readonly ModelRequest[];
  /** The requests of the conversation alone. */
  readonly conversation: readonly ModelRequest[];
  /** Resolves with the first request that fits, past or future. Rejects if the model is closed before there is one. */
  waitFor(fits: (request: ModelRequest) => boolean): Promise<ModelRequest>;
  /** Throws a `ScriptMismatchError` if a request was unexpected, if a function of the script threw, or if steps are left. */
  verify(): void;
  /** Ends every open answer and the server. Then it verifies, unless `verify` is false or `verify()` has thrown before. */
  close(options?: { verify?: boolean }): Promise<void>;
}

/**
 * Starts a scripted model on a free port of 127.0.0.1. It takes options or a script. Throws an `InvalidOptionsError`
 * for an invalid step.
 */
export async function startScriptedModel(
  given: ScriptedModelOptions | readonly Step[] = {},
): Promise<ScriptedModel> {
  const model = new LoopbackModel(isScript(given) ? { script: given } : given);
  await model.listen();
  return model;
}

/**
 * Starts a model that does not keep this process alive, so that a program that does not close it can still end. While a
 * CLI runs, the CLI keeps the process alive.
 */
export async function startModelInBackground(options: ScriptedModelOptions): Promise<ScriptedModel> {
  const model = new LoopbackModel(options);
  model.unref();
  await model.listen();
  return model;
}

const SUBJECT = 'The scripted model and its clients disagree';

function isScript(given: ScriptedModelOptions | readonly Step[]): given is readonly Step[] {
  return Array.isArray(given);
}

class LoopbackModel implements ScriptedModel {
  readonly #answers: ModelAnswers;
  readonly #idMark: string;
  readonly #classifier = new RequestClassifier();
  readonly #log = new RequestLog();
  readonly #server: Server;
  readonly #openAnswers = new Set<Promise<void>>();
  readonly #problems: string[] = [];
  readonly #failures: unknown[] = [];
  #url = '';
  #toolUses = 0;
  #hasReported = false;
  /** Whether the clients left before the script was over, or never came, as when a test fails. */
  #isCutShort = false;
  #closing: Promise<void> | undefined;

  constructor(options: ScriptedModelOptions) {
    this.#answers = new ModelAnswers(options);
    this.#idMark = options.idMark ?? 'scripted';
    this.#server = createServer((incoming, response) => {
      const answering = this.#receive(incoming, response).finally(() => this.#openAnswers.delete(answering));
      this.#openAnswers.add(answering);
    });
    // The server never closes an idle connection, because the client could send its next request at the same moment.
    this.#server.keepAliveTimeout = 0;
  }

  get url(): string {
    return this.#url;
  }

  get requests(): readonly ModelRequest[] {
    return this.#log.requests;
  }

  get conversation(): readonly ModelRequest[] {
    return this.#log.requests.filter((request) => request.kind === 'conversation');
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(0, '127.0.0.1', resolve);
    });
    this.#url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Must be called before `listen()`, so that neither the port nor connections keep the process alive. */
  unref(): void {
    this.#server.unref();
    this.#server.on('connection', (socket) => socket.unref());
  }

  waitFor(fits: (request: ModelRequest) => boolean): Promise<ModelRequest> {
    return this.#log.waitFor(fits);
  }

  verify(): void {
    const problems = [...this.#problems, ...this.#answers.listUnused()];
    if (problems.length === 0) return;
    this.#hasReported = true;
    throw new ScriptMismatchError(SUBJECT, problems, {
      cause: this.#failures[0],
    });
  }

  async close({ verify = true }: { verify?: boolean } = {}): Promise<void> {
    this.#closing ??= this.#shutDown();
    await this.#closing;
    if (verify && !this.#hasReported) this.verify();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close({ verify: false });
    // The test may have thrown an error, which an error thrown here would hide.
    if (this.#isCutShort) warnOfRest(SUBJECT, this.#answers.listUnused());
    else if (!this.#hasReported) this.verify();
  }

  async #shutDown(): Promise<void> {
    const wasLeft = this.conversation.every(({ outcome }) => outcome !== 'answered' && outcome !== 'cut');
    const isLeaving = this.conversation.some(
      ({ outcome }) => outcome === undefined || outcome === 'disconnected',
    );
    this.#isCutShort = this.#problems.length === 0 && (wasLeft || isLeaving);
    const reason = new SessionClosedError('The scripted model was closed before such a request arrived');
    this.#log.close(reason);
    for (const gate of this.#answers.listGates()) gate.abandon(reason);
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await Promise.all([closed, ...this.#openAnswers]);
  }

  async #receive(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const connection = new AbortController();
    response.on('close', () => {
      if (!response.writableFinished) connection.abort();
    });
    // Writing to a closed connection fails. That is ignored, because the event above reports the same fact.
    response.on('error', () => {});
    const { method = '', url = '', headers } = incoming;
    let rawBody: string;
    try {
      rawBody = await readText(incoming);
    } catch {
      return; // The client went away before it had asked for anything.
    }
    const received = readRequest({ method, url, headers, rawBody });
    const request = this.#log.add(received, this.#classifier.classify(received));
    response.setHeader('request-id', this.#createId('req', request.index));
    const identity = {
      id: this.#createId('msg', request.index),
      model: request.body.model ?? 'scripted',
      createToolUseId: () => this.#createId('toolu', this.#toolUses++),
    };
    const exchange = { request, response, gone: connection.signal, identity };
    this.#log.settle(request, await this.#answer(exchange));
  }

  #createId(prefix: string, index: number): string {
    return `${prefix}_${this.#idMark}_${String(index + 1).padStart(4, '0')}`;
  }

  async #answer(exchange: Exchange): Promise<RequestOutcome> {
    const { request, gone } = exchange;
    let placed: LocatedStep | undefined;
    try {
      placed = this.#answers.choose(request);
      if (placed === undefined) {
        return await this.#refuse(exchange, 'unexpected', this.#answers.explainMiss(request));
      }
      const { step, where } = placed;
      const reply =
        typeof step === 'function'
          ? await waitUnlessGone(callWithContext(step, createContext(request)), gone)
          : step;
      checkReply(reply, `what ${where} returned`);
      return await sendReply(exchange, reply);
    } catch (error) {
      if (gone.aborted) return 'disconnected';
      this.#failures.push(error);
      return await this.#refuse(exchange, 'failed', `${placed?.where ?? 'a "when"'} threw: ${String(error)}`);
    }
  }

  async #refuse<O extends RequestOutcome>(exchange: Exchange, outcome: O, why: string): Promise<O> {
    const problem = `${describeRequest(exchange.request)}: ${why}`;
    this.#problems.push(problem);
    if (exchange.response.headersSent) {
      exchange.response.destroy();
      return outcome;
    }
    // The status is 418, because no client reacts to it. After a 400, CLI 2.1.325 asks twice more with fewer features.
    // After a 404, the older and the newer CLI ask again. A 403 counts as a failed login.
    const refusal = apiError(418, {
      message: `Scripted model: ${problem}`,
      headers: { 'x-should-retry': 'false' },
    });
    // The problem is recorded already, so it does not matter whether the client reads the refusal.
    await sendReply(exchange, refusal).catch(() => {});
    return outcome;
  }
}

function describeRequest({ index, method, url, sessionId, userText }: ModelRequest): string {
  const session = sessionId === undefined ? '' : `, session ${sessionId}`;
  const said = userText === '' ? '' : `, user text ending in ${JSON.stringify(userText.slice(-80))}`;
  return `requests[${index}], ${method} ${url}${session}${said}`;
}
