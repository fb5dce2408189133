// Puts the recipe's component on a page: the chat's id is in the address, what was said before comes from the server.
import type { UIMessage } from 'ai';
import { useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { ChatPage } from '../chat-page.js';

const id = location.pathname.split('/').at(-1) ?? '';
const response = await fetch(`/api/chat/${id}/messages`);
const { messages } = (await response.json()) as { messages: UIMessage[] };

// The end of the chat stays visible while it grows, unless the user has scrolled away from it.
let isAtEnd = true;
addEventListener('scroll', () => {
  isAtEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 40;
});

function Ready() {
  useEffect(() => {
    new ResizeObserver(() => {
      if (isAtEnd) scrollTo({ top: document.documentElement.scrollHeight });
    }).observe(document.body);
    document.documentElement.dataset['ready'] = 'true';
  }, []);
  return <ChatPage id={id} messages={messages} />;
}

createRoot(document.querySelector('#root') as HTMLElement).render(<Ready />);
