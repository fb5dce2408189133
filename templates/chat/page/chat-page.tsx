// The page: messages as they arrive, tool calls with their approvals, and a line to write.
import { useChat } from '@ai-sdk/react';
import type { UIMessage } from 'ai';
import { useEffect } from 'react';
import { readRefusal, type OpenChat } from './client.ts';
import { Composer } from './composer.tsx';
import { ToolCall } from './tool-call.tsx';

export function ChatPage({ open: { chat, send, decide, stop } }: { open: OpenChat }) {
  // An answer that was running when the page was loaded is taken up again. One that a restart of the server cut off goes on.
  const { messages, status, error } = useChat({ chat, resume: true });
  const isAnswering = status === 'submitted' || status === 'streaming';
  // Until a person has decided, the answer takes no further message, but it can be stopped.
  const isWaiting = messages.at(-1)?.parts.some(isOpenQuestion) === true;
  // Tests in a browser wait for this.
  useEffect(() => void (document.documentElement.dataset['ready'] = 'true'), []);
  return (
    <main className="chat" data-status={status}>
      <ol className="messages">
        {messages.map((message) => (
          <li key={message.id} className={message.role}>
            {message.parts.map((part, index) => {
              if (part.type === 'text') return <p key={index}>{part.text}</p>;
              if (part.type === 'dynamic-tool')
                return <ToolCall key={part.toolCallId} call={part} decide={decide} />;
              return null;
            })}
          </li>
        ))}
      </ol>
      {error && <p role="alert">{readRefusal(error).message}</p>}
      <Composer isBusy={isAnswering || isWaiting} send={send} stop={() => void stop()} />
    </main>
  );
}

function isOpenQuestion(part: UIMessage['parts'][number]): boolean {
  return part.type === 'dynamic-tool' && part.state === 'approval-requested';
}
