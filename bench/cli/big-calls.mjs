// Tool calls whose arguments and results are long: one line of many megabytes each way.
import { skipLine, writeAll } from './blocking-lines.mjs';

const CODE = 'const value = compute(input, "name"); // next line\n';

/** The median time of a call for each size, in milliseconds: `[{ bytes, ms }]`. */
export function callWithSizes(sizes) {
  return sizes.map(({ bytes, repeats }) => ({ bytes, ms: timeCalls(bytes, repeats) }));
}

function timeCalls(bytes, repeats) {
  const text = CODE.repeat(Math.ceil(bytes / CODE.length)).slice(0, bytes);
  const times = [];
  // The first one is not counted.
  for (let index = 0; index <= repeats; index += 1) {
    const line = Buffer.from(`${JSON.stringify(createCall(`big-${bytes}-${index}`, text))}\n`);
    const begun = performance.now();
    writeAll(line);
    const received = skipLine();
    if (received < bytes) throw new Error(`An answer of ${received} bytes for a text of ${bytes}.`);
    if (index > 0) times.push(performance.now() - begun);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)];
}

function createCall(id, text) {
  const params = {
    name: 'echo',
    arguments: { text },
    _meta: { 'claudecode/toolUseId': `toolu_${id}` },
  };
  const message = { jsonrpc: '2.0', id: 7, method: 'tools/call', params };
  return {
    type: 'control_request',
    request_id: id,
    request: { subtype: 'mcp_message', server_name: 'bench', message },
  };
}
