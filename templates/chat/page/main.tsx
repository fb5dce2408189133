// Puts the chat on the page: its id is in the address, and what was said before comes from the server.
import { createRoot } from 'react-dom/client';
import { ChatPage } from './chat-page.tsx';
import { openChat, readPast } from './client.ts';

const api = '/api/chat';
const id = location.pathname.split('/').at(-1) ?? '';
const root = createRoot(document.querySelector('#root') as HTMLElement);
try {
  root.render(<ChatPage open={openChat({ api, id, messages: await readPast(api, id) })} />);
} catch (error) {
  root.render(<p role="alert">{(error as Error).message}</p>);
}
