// What every host of the matrix gives its agent: one tool whose runs are written down, and a question before each.
import { appendFileSync } from 'node:fs';

/** The options of a conversation. `points` gives those of the life under way. */
export function createShop({ sdk, plan, points, canUseTool }) {
  const pay = sdk.tool({
    name: 'pay',
    description: 'Pays',
    inputSchema: { k: 'string', n: 'number', call: 'number' },
    // Asked about at the same time, where there are several.
    annotations: { readOnlyHint: true },
    ...(plan.cell.onRepeat !== undefined && { onRepeat: plan.cell.onRepeat }),
    run: async ({ call }) => {
      points().reach('effect', 'before', call);
      appendFileSync(plan.files.effects, `${JSON.stringify({ call, pid: process.pid })}\n`);
      points().reach('effect', 'after', call);
      // Others come to their turn between the effect and the end.
      await new Promise((resolve) => setImmediate(resolve));
      return `paid ${call}`;
    },
  });
  return {
    ...plan.options,
    permissionMode: 'default',
    mcpServers: { shop: sdk.createSdkMcpServer({ name: 'shop', alwaysLoad: true, tools: [pay] }) },
    ...(canUseTool && {
      canUseTool: (toolName, input, question) => {
        points().keys.set(question.callKey, input.call);
        points().note('asking', { call: input.call });
        return canUseTool(toolName, input, question);
      },
    }),
  };
}
