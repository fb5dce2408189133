// The model when there is no key: a script that reads the orders and writes down what it read. For one tenant the service
// is busy at first, and one tenant's report costs more than its budget has left.
import { apiError, reply, structuredOutput, toolUse, type ScriptedModelOptions } from 'inboard/testing';

type Row = { revenue: number; product?: string };
const sum = (rows: Row[]): string => rows.reduce((total, { revenue }) => total + revenue, 0).toFixed(2);

export function createOfflineScript(): ScriptedModelOptions {
  let refusals = 0;
  return {
    onExhausted: ({ userText, answers: [sales, products] }) => {
      if (userText.includes('Nordlicht') && (refusals += 1) <= 2) return apiError(429);
      const usage = { input_tokens: userText.includes('Quay') ? 90_000 : 2400, output_tokens: 180 };
      const look = (tool: string) => toolUse(`mcp__orders__${tool}`, { count: 14 });
      if (!sales || !products) return reply(look('last_days'), look('top_products'), { usage });
      const days = JSON.parse(sales.text) as Row[];
      const headline = `By a script: ${sum(days.slice(-7))} in 7 days, ${sum(days.slice(0, -7))} in the 7 before.`;
      const [first, second] = JSON.parse(products.text) as Row[];
      const findings = [`${first?.product} sells best, then ${second?.product}.`];
      return structuredOutput({ headline, findings });
    },
  };
}
