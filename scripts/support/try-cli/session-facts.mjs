// What a CLI says of itself when a session begins: its tools, commands, models and capabilities.

/** Named lists out of the trace of a session: `tools`, `models` and so on, each with its entries' names. */
export function sessionFactsOf(trace) {
  const frames = trace
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
    .filter(({ type, dir, frame }) => type === 'frame' && dir === 'in' && frame !== undefined)
    .map(({ frame }) => frame);
  const init = frames.find(({ type, subtype }) => type === 'system' && subtype === 'init') ?? {};
  const reply = frames.find(({ type }) => type === 'control_response')?.response?.response ?? {};
  const names = (list, key) => (list ?? []).map((each) => (typeof each === 'string' ? each : each[key]));
  return {
    tools: names(init.tools, 'name'),
    'slash commands': names(init.slash_commands, 'name'),
    skills: names(init.skills, 'name'),
    agents: names(init.agents, 'name'),
    models: names(reply.models, 'value'),
    'output styles': names(reply.available_output_styles, 'name'),
    'capabilities (system/init)': names(init.capabilities, 'name'),
    'capabilities (initialize)': names(reply.capabilities, 'name'),
  };
}
