// Calls that the fake CLI's "model" makes in one message, once and never again, whatever it reads of them; and what it is sent, as
// lines of a file: `FAULTS_REQUESTS` names it. With `FAULTS_LAST_WORDS`, a CLI whose host is gone writes what the real one makes up.
'use strict';
const fs = require('node:fs');

const UNKNOWN = '[Tool call interrupted: the session ended before its result, so its outcome is unknown.]';
const HOST_GONE =
  'Tool permission request failed: Error: Tool permission stream closed before response received';
const TREE = ['user', 'assistant', 'system', 'attachment', 'progress'];

const blocksOf = ({ message }) => (Array.isArray(message?.content) ? message.content : []);

/** What the next request to the model has: the line that ends at the named leaf, and all of each reply on it. */
function readLine(entries) {
  const tree = entries.filter(({ type, isSidechain }) => TREE.includes(type) && isSidechain !== true);
  const byUuid = new Map(tree.map((entry) => [entry.uuid, entry]));
  const climb = (leaf) => {
    const line = [];
    for (let at = leaf; at; at = byUuid.get(at.parentUuid)) line.unshift(at);
    return line;
  };
  const parents = new Set(tree.map(({ parentUuid }) => parentUuid));
  const named = byUuid.get(entries.findLast(({ type }) => type === 'last-prompt')?.leafUuid);
  const ends = tree.filter(({ uuid }) => !parents.has(uuid));
  const leaf = ends.findLast((end) => !named || climb(end).includes(named));
  const line = climb(leaf);
  const replies = new Set(line.flatMap(({ type, message }) => (type === 'assistant' ? [message.id] : [])));
  return tree.filter(
    (entry) => line.includes(entry) || (entry.type === 'assistant' && replies.has(entry.message.id)),
  );
}

/** The calls in it, each with every result that it has there. */
function readCalls(entries) {
  const blocks = readLine(entries).flatMap(blocksOf);
  return blocks
    .filter(({ type }) => type === 'tool_use')
    .map(({ id, input }) => ({
      id,
      call: input.call,
      results: blocks.filter((block) => block.tool_use_id === id).map(({ content }) => textOf(content)),
    }));
}

function textOf(content) {
  return Array.isArray(content) ? content.map(({ text }) => text ?? '').join('') : String(content);
}

/** What plays such turns. */
function createTogether({ transcript, say, ask, sendOwn }) {
  const asked = new Set();

  function noteRequest() {
    if (process.env.FAULTS_REQUESTS === undefined) return;
    const entries = transcript.entries();
    const prompts = readLine(entries).filter(
      (entry) => entry.type === 'user' && JSON.stringify(entry.message).includes('chaos {'),
    ).length;
    fs.appendFileSync(
      process.env.FAULTS_REQUESTS,
      `${JSON.stringify({ prompts, calls: readCalls(entries) })}\n`,
    );
  }

  function keepResult(id, content, isError) {
    const block = { tool_use_id: id, type: 'tool_result', content, ...(isError ? { is_error: true } : {}) };
    const { uuid } = transcript.keep({ type: 'user', message: { role: 'user', content: [block] } });
    sendOwn({ type: 'user', message: { role: 'user', content: [block] }, parent_tool_use_id: null, uuid });
  }

  async function call({ id, input }) {
    asked.add(id);
    const answer = await ask({
      subtype: 'can_use_tool',
      tool_name: 'mcp__shop__pay',
      display_name: 'Pay',
      input,
      permission_suggestions: [],
      tool_use_id: id,
    });
    asked.delete(id);
    if (answer?.behavior !== 'allow') {
      keepResult(id, answer?.message ?? 'denied', true);
      return;
    }
    const params = {
      name: 'pay',
      arguments: answer.updatedInput ?? input,
      _meta: { 'claudecode/toolUseId': id },
    };
    const reply = await ask({
      subtype: 'mcp_message',
      server_name: 'shop',
      message: { jsonrpc: '2.0', id: input.call + 1, method: 'tools/call', params },
    });
    const { result, error } = reply?.mcp_response ?? {};
    keepResult(
      id,
      result?.content ?? error?.message ?? 'no answer',
      error !== undefined || result?.isError === true,
    );
  }

  return {
    /** Plays the turn up to the model's last answer; `isCalled` says whether the calls were made before. */
    async play(plan, { isCalled, createId }) {
      noteRequest();
      if (isCalled) return;
      const messageId = createId('msg');
      const calls = Array.from({ length: plan.calls }, (_, at) => ({
        id: createId('toolu'),
        input: { k: plan.k, n: plan.n, call: at },
      }));
      for (const { id, input } of calls)
        say([{ type: 'tool_use', id, name: 'mcp__shop__pay', input }], 'tool_use', messageId);
      // The call is in the transcript before the host is asked, as with the real CLI, which takes longer to ask.
      transcript.report();
      await Promise.all(calls.map(call));
      noteRequest();
    },
    /** A resumed CLI says of calls without a result what it knows. */
    tellUnknown() {
      for (const { id, results } of readCalls(transcript.entries()))
        if (results.length === 0) keepResult(id, UNKNOWN, true);
    },
    /** The host is gone. */
    end() {
      if (process.env.FAULTS_LAST_WORDS !== '1') return;
      for (const id of asked) keepResult(id, HOST_GONE, true);
    },
  };
}

module.exports = { createTogether };
