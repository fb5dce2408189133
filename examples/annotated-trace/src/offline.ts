// The model, where there is no key: a script on loopback that calls the tool and says what came back.
import type { QueryOptions } from 'inboard';
import { startOffline, text, toolUse } from 'inboard/testing';

/** Does some work with the user's own account, or, without a key, in a folder of its own and with the script. */
export async function withModel<T>(work: (options: QueryOptions) => Promise<T>): Promise<T> {
  if (process.env['ANTHROPIC_API_KEY']) return work({});
  await using offline = await startOffline([
    toolUse('mcp__demo_tools__greet', { name: 'Alice' }),
    ({ answer }) => text(`This is a script, not a model. The tool said: "${answer.text}"`),
  ]);
  return await work(offline.options);
}
