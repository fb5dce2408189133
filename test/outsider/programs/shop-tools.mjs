// A tools file for the command.
import { createSdkMcpServer, tool } from 'inboard';

export const shop = createSdkMcpServer({
  name: 'shop',
  tools: [tool('count', 'How many there are', { article: 'string' }, ({ article }) => `7 ${article}`)],
});
