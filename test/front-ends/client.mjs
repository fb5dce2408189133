// A chat as the AI SDK's hooks keep it, without a page: its own state machine and transport over HTTP, and a state that a test
// can wait for.
import { AbstractChat, DefaultChatTransport, lastAssistantMessageIsCompleteWithApprovalResponses } from 'ai';

const PATIENCE_MS = 60_000;

/** The state of the chat. Code that waits checks it again at each change. */
class WatchedState {
  #watchers = new Set();
  #status = 'ready';
  #error;
  #messages = [];

  get status() {
    return this.#status;
  }
  set status(status) {
    this.#status = status;
    this.#tell();
  }
  get error() {
    return this.#error;
  }
  set error(error) {
    this.#error = error;
    this.#tell();
  }
  get messages() {
    return this.#messages;
  }
  set messages(messages) {
    this.#messages = messages;
    this.#tell();
  }
  pushMessage(message) {
    this.messages = [...this.#messages, message];
  }
  popMessage() {
    this.messages = this.#messages.slice(0, -1);
  }
  replaceMessage(index, message) {
    this.messages = this.#messages.with(index, structuredClone(message));
  }
  snapshot(thing) {
    return structuredClone(thing);
  }
  watch(watcher) {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }
  #tell() {
    for (const watcher of this.#watchers) watcher();
  }
}

/** One tab: `edits` has the input a person changed, by approval. */
export class Tab extends AbstractChat {
  edits = {};
  #api;

  constructor(api, id, messages = []) {
    const state = new WatchedState();
    state.messages = messages;
    const body = () => (Object.keys(this.edits).length > 0 ? { approvalInputs: this.edits } : {});
    super({
      id,
      state,
      transport: new DefaultChatTransport({ api, body }),
      sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
    });
    this.#api = api;
  }

  /** The text of the last message. */
  get text() {
    return (this.lastMessage?.parts ?? [])
      .filter(({ type }) => type === 'text')
      .map(({ text }) => text)
      .join('');
  }

  /** The tool calls of the last message. */
  get calls() {
    return (this.lastMessage?.parts ?? []).filter(({ type }) => type === 'dynamic-tool');
  }

  /** Waits until something is true of the chat; fails when the chat does, or takes too long. */
  until(what, isTrue) {
    return new Promise((resolve, reject) => {
      const end = (settle, value) => {
        forget();
        clearTimeout(timer);
        settle(value);
      };
      const describe = () => `${what}: ${this.status}, ${JSON.stringify(this.messages.at(-1), undefined, 2)}`;
      const look = () => {
        if (isTrue(this)) end(resolve);
        else if (this.status === 'error')
          end(reject, new Error(`The chat failed, waiting for ${describe()}`, { cause: this.error }));
      };
      const forget = this.state.watch(look);
      const timer = setTimeout(
        () => end(reject, new Error(`Waited too long for ${describe()}`)),
        PATIENCE_MS,
      );
      look();
    });
  }

  /** Asks an endpoint beside the stream: `stop` or `approvals`. */
  async ask(path, body) {
    const response = await fetch(`${this.#api}/${encodeURIComponent(this.id)}/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      ...(body !== undefined && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} was answered with ${response.status}: ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  }
}
