// The model when there is no key: a script that uses each of the three servers, then says what it has read. Of a prompt with
// a calculation in it, it makes that calculation, which is all it can do in a session that has but one of the servers.
import { reply, text, toolUse, type ScriptedModelOptions } from 'inboard/testing';

const SERVERS = ['local', 'pipe', 'web'];
/** One call of a tool on each server, with the same input or each with its own. */
const onAll = (tool: string, ...inputs: Record<string, unknown>[]) =>
  reply(...SERVERS.map((server, at) => toolUse(`mcp__${server}__${tool}`, inputs[at] ?? inputs[0] ?? {})));

const TOUR = [
  onAll('whoami'),
  onAll('keep_result', ...[40, 41, 42].map((value) => ({ label: 'answer', value }))),
  onAll('list_results'),
  onAll('query_user', { email: 'ada@example.org' }), // an error value where Ada is not to be seen
  onAll('rename_user', { email: 'cleo@example.org', name: 'Cleo V. Vaughan' }), // thrown where it is not allowed
  onAll('divide', { x: 1, y: 'zero' }), // invalid input
];

export const offlineScript: ScriptedModelOptions = {
  onExhausted: ({ prompt, answers, toolNames, toolResults: [result] }) => {
    const [isSum, x, sign, y] = /(-?\d+(?:\.\d+)?) *([+/]) *(-?\d+(?:\.\d+)?)/.exec(prompt) ?? [];
    if (isSum && result)
      return text(
        `I am a script, and the tool says: ${result.text} (call ${answers.length} of this session)`,
      );
    if (isSum)
      return toolUse(`mcp__local__${sign === '+' ? 'add' : 'divide'}`, { x: Number(x), y: Number(y) });
    const hasAll = SERVERS.every((server) => toolNames.some((name) => name.startsWith(`mcp__${server}__`)));
    if (!hasAll) return text('I am a script, and can only add and divide: ask me for 2 + 3, or for 7 / 2.');
    const failed = answers.filter(({ isError }) => isError).length;
    const summary = `I am a script. I made ${answers.length} calls on three servers; ${failed} were answered with an error, and each server knew only the results of its own user.`;
    return TOUR[answers.length / SERVERS.length] ?? text(summary);
  },
};
