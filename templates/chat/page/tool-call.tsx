// A tool call: what it is called with, what came of it, and the question whether it may run.
import type { DynamicToolUIPart } from 'ai';
import { useState } from 'react';
import { parseJson, type OpenChat } from './client.ts';

const STATES = {
  'input-streaming': 'being written',
  'input-available': 'runs',
  'approval-requested': 'waits for you',
  'approval-responded': 'answered',
  'output-available': 'done',
  'output-error': 'failed',
  'output-denied': 'denied',
};

export function ToolCall({ call, decide }: { call: DynamicToolUIPart; decide: OpenChat['decide'] }) {
  return (
    <section className="call" data-state={call.state}>
      <header>
        <b>{call.toolName.replace(/^mcp__.*?__/, '')}</b>{' '}
        <span>{STATES[call.state] + describeAnswer(call)}</span>
      </header>
      {call.state === 'approval-requested' ? (
        <Question
          input={call.input}
          decide={(approved, more) => void decide(call.approval.id, approved, more)}
        />
      ) : (
        <pre>{JSON.stringify(call.input)}</pre>
      )}
      {call.state === 'output-available' && <pre className="output">{show(call.output)}</pre>}
      {call.state === 'output-error' && <pre className="failed">{call.errorText}</pre>}
      {call.state === 'output-denied' && <p className="failed">{call.approval?.reason ?? 'Denied.'}</p>}
    </section>
  );
}

/** Whether a person changed the input, and who answered. The server says so, also after a reload. */
function describeAnswer({ callProviderMetadata }: DynamicToolUIPart): string {
  const { answered, completed } = callProviderMetadata?.['inboard'] ?? {};
  const { by, isEdited } = (answered ?? completed ?? {}) as { by?: string; isEdited?: boolean };
  return (isEdited ? ', edited' : '') + (by ? ` by ${by}` : '');
}

/** Asks the person, who may change the input as JSON, or say why not. */
function Question(props: {
  input: unknown;
  decide: (approved: boolean, more: { input?: unknown; reason?: string }) => void;
}) {
  const [text, setText] = useState(() => JSON.stringify(props.input, undefined, 2));
  const [reason, setReason] = useState('');
  const edited = parseJson(text);
  return (
    <form onSubmit={(event) => event.preventDefault()}>
      <textarea
        aria-label="What it is called with"
        aria-invalid={edited === undefined}
        rows={text.split('\n').length}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <input
        className="reason"
        placeholder="Why not, if you deny it"
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      <button
        type="button"
        className="allow"
        disabled={!edited}
        onClick={() => props.decide(true, { input: edited })}
      >
        Allow
      </button>
      <button type="button" className="deny" onClick={() => props.decide(false, { reason: reason.trim() })}>
        Deny
      </button>
    </form>
  );
}

function show(output: unknown): string {
  return typeof output === 'string' ? output : JSON.stringify(output, undefined, 2);
}
