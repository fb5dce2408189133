import { useChat } from '@ai-sdk/react';
import { DefaultChatTransport, lastAssistantMessageIsCompleteWithApprovalResponses } from 'ai';
import type { DynamicToolUIPart, UIMessage } from 'ai';
import { useState } from 'react';

const API = '/api/chat';

// What a person changed before they agreed, by approval. All of it travels with the answers.
const edits = new Map<string, unknown>();
const transport = new DefaultChatTransport({
  api: API,
  body: () => ({ approvalInputs: Object.fromEntries(edits) }),
});

/** A chat; `messages` is what was said before the page was loaded. */
export function ChatPage({ id, messages: before }: { id: string; messages: UIMessage[] }) {
  const { messages, setMessages, status, error, sendMessage, addToolApprovalResponse } = useChat({
    id,
    messages: before,
    transport,
    // An answer that was running when the page was loaded is taken up again.
    resume: true,
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  });
  const isBusy = status === 'submitted' || status === 'streaming';

  // Until a person has decided, the answer takes no further message, but it can be stopped.
  const isWaiting = messages.at(-1)?.parts.some(isOpenQuestion) === true;

  // Closing the connection stops nothing, so that a reload is harmless; this does.
  const stop = async () => {
    await fetch(`${API}/${id}/stop`, { method: 'POST' });
    if (isBusy) return;
    // An answer that waits has no connection on which it could tell how it ended.
    const response = await fetch(`${API}/${id}/messages`);
    const past = (await response.json()) as { messages: UIMessage[] };
    setMessages((shown) => [...shown.slice(0, -1), ...past.messages.slice(-1)]);
  };
  const decide = (approvalId: string, approved: boolean, input?: unknown) => {
    if (input !== undefined) edits.set(approvalId, input);
    return addToolApprovalResponse({ id: approvalId, approved, reason: approved ? undefined : 'Not now.' });
  };

  return (
    <main className="chat" data-status={status}>
      <ol className="messages">
        {messages.map((message) => (
          <li key={message.id} className={message.role}>
            {message.parts.map((part, index) => {
              if (part.type === 'text') return <p key={index}>{part.text}</p>;
              if (part.type === 'reasoning')
                return (
                  <p key={index} className="reasoning">
                    {part.text}
                  </p>
                );
              if (part.type === 'dynamic-tool')
                return <Call key={part.toolCallId} call={part} decide={decide} />;
              return null;
            })}
          </li>
        ))}
      </ol>
      {error && <p role="alert">{explain(error)}</p>}
      <Composer isBusy={isBusy || isWaiting} send={(text) => sendMessage({ text })} stop={stop} />
    </main>
  );
}

const STATES = {
  'input-streaming': 'being written',
  'input-available': 'runs',
  'approval-requested': 'waits for you',
  'approval-responded': 'answered',
  'output-available': 'done',
  'output-error': 'failed',
  'output-denied': 'denied',
};

type Decide = (approvalId: string, approved: boolean, input?: unknown) => unknown;

function Call({ call, decide }: { call: DynamicToolUIPart; decide: Decide }) {
  const name = call.toolName.replace(/^mcp__.*?__/, '');
  return (
    <section className="call" data-state={call.state}>
      <header>
        <b>{name}</b> <span>{STATES[call.state]}</span>
      </header>
      {call.state === 'approval-requested' ? (
        <Question
          input={call.input}
          decide={(approved, input) => decide(call.approval.id, approved, input)}
        />
      ) : (
        <pre>{JSON.stringify(call.input)}</pre>
      )}
      {call.state === 'output-available' && <pre className="output">{show(call.output)}</pre>}
      {call.state === 'output-error' && <pre className="failed">{call.errorText}</pre>}
      {call.state === 'output-denied' && <p className="failed">{call.approval.reason ?? 'Denied.'}</p>}
    </section>
  );
}

function Question({
  input,
  decide,
}: {
  input: unknown;
  decide: (approved: boolean, input?: unknown) => unknown;
}) {
  const [text, setText] = useState(() => JSON.stringify(input, undefined, 2));
  const edited = parse(text);
  return (
    <form onSubmit={(event) => event.preventDefault()}>
      <textarea
        aria-label="What it is called with"
        aria-invalid={edited === undefined}
        rows={text.split('\n').length}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <button type="button" className="allow" disabled={!edited} onClick={() => decide(true, edited)}>
        Allow
      </button>
      <button type="button" className="deny" onClick={() => decide(false)}>
        Deny
      </button>
    </form>
  );
}

function Composer(props: { isBusy: boolean; send: (text: string) => unknown; stop: () => unknown }) {
  const [text, setText] = useState('');
  const send = () => {
    void props.send(text);
    setText('');
  };
  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '' && !props.isBusy) send();
      }}
    >
      <input
        aria-label="Message"
        placeholder="Ask about an order"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {props.isBusy ? (
        <button type="button" className="stop" onClick={() => void props.stop()}>
          Stop
        </button>
      ) : (
        <button type="submit">Send</button>
      )}
    </form>
  );
}

function isOpenQuestion(part: UIMessage['parts'][number]): boolean {
  return part.type === 'dynamic-tool' && part.state === 'approval-requested';
}

/** A refused request has a JSON object with a sentence for the page. */
function explain({ message }: Error): string {
  const refusal = parse(message) as { message?: string } | undefined;
  return refusal?.message ?? message;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function show(output: unknown): string {
  return typeof output === 'string' ? output : JSON.stringify(output, undefined, 2);
}
