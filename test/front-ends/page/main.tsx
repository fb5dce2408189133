// Puts the recipe's component on a page: the chat's id is in the address, what was said before comes from the server.
import type { UIMessage } from 'ai';
import { useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { ChatPage } from '../chat-page.js';

const id = location.pathname.split('/').at(-1) ?? '';
const response = await fetch(`/api/history/${id}`);
const messages = (await response.json()) as UIMessage[];

function Ready() {
  useEffect(() => {
    document.documentElement.dataset['ready'] = 'true';
  }, []);
  return <ChatPage id={id} messages={messages} />;
}

createRoot(document.querySelector('#root') as HTMLElement).render(<Ready />);
