// A tools file for the `inboard` command: TypeScript that a runtime can run by stripping its types.
import { createSdkMcpServer, InboardError, tool } from 'inboard';

interface Order {
  article: string;
  amount: number;
}

const orders: Order[] = [];

export default createSdkMcpServer({
  name: 'orders',
  tools: [
    tool(
      'order',
      'Orders an article',
      { article: 'string', amount: 'number' },
      ({ article, amount }): string => {
        orders.push({ article, amount });
        return `${orders.length}: ${amount} ${article}`;
      },
    ),
    tool('is_same_copy', 'Whether this file and the command have one copy of the package', {}, async () => {
      const url: string = process.env['INBOARD_MATRIX_ENTRY_POINT'] ?? '';
      const { InboardError: other } = (await import(url)) as { InboardError: unknown };
      return { same: other === InboardError };
    }),
  ],
});
