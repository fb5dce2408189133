// docs/protocol.svg: the greeting on both CLIs as two sequence diagrams side by side, drawn from their recordings.
import { NEWEST, OLDEST } from './recorded-versions.mjs';

const ROW = 30;
const TOP = 108;
const PANEL = 560;
const GAP = 40;
const LANES = [70, 250, 490];
const LAYERS = { control: 'control protocol', mcp: 'MCP inside it', message: 'messages' };

/** The picture. `panels` are titles with the frames of a recording. */
export function drawSequence(panels) {
  const drawn = panels.map(({ title, frames }, index) => drawPanel(title, frames, index * (PANEL + GAP)));
  const width = panels.length * PANEL + (panels.length - 1) * GAP;
  const height = Math.max(...drawn.map(({ rows }) => rows)) * ROW + TOP + 56;
  const legend = Object.entries(LAYERS).map(
    ([layer, name], index) =>
      `<g transform="translate(${20 + index * 170} ${height - 22})"><line class="${layer}" x2="22"/><text class="small" x="30" y="4">${name}</text></g>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="One tool call as a sequence of frames, on CLI ${OLDEST} and on CLI ${NEWEST}">
<style>
svg { font: 13px ui-sans-serif, system-ui, sans-serif; background: #fbfaf7; --ink: #24211c; --soft: #6f6a60; --hair: #d9d4c9; --control: #b45309; --mcp: #7c3aed; --message: #0f766e; }
@media (prefers-color-scheme: dark) { svg { background: #1b1a18; --ink: #eae6dd; --soft: #a29c90; --hair: #3d3a35; --control: #f0a63c; --mcp: #b794f6; --message: #4fc3b5; } }
text { fill: var(--ink); } .small { fill: var(--soft); font-size: 12px; } .title { font-size: 15px; font-weight: 600; } .mono { font: 12px ui-monospace, monospace; }
.lane { stroke: var(--hair); } .head { fill: none; stroke: var(--hair); }
.control { stroke: var(--control); } .mcp { stroke: var(--mcp); } .message { stroke: var(--message); }
line { stroke-width: 1.4; } .answer { stroke-dasharray: 4 3; } .t-control { fill: var(--control); } .t-mcp { fill: var(--mcp); } .t-message { fill: var(--message); }
path.control { fill: var(--control); } path.mcp { fill: var(--mcp); } path.message { fill: var(--message); }
</style>
${drawn.map(({ svg }) => svg).join('\n')}
${legend.join('\n')}
</svg>
`;
}

function drawPanel(title, frames, left) {
  const steps = frames.flatMap(stepsOf);
  const bottom = TOP + steps.length * ROW;
  const heads = ['your code', 'Inboard', 'Claude CLI'].map(
    (name, lane) =>
      `<rect class="head" x="${LANES[lane] - 52}" y="52" width="104" height="28" rx="6"/><text x="${LANES[lane]}" y="71" text-anchor="middle">${name}</text><line class="lane" x1="${LANES[lane]}" x2="${LANES[lane]}" y1="80" y2="${bottom}"/>`,
  );
  const arrows = steps.map(({ from, to, layer, label, isAnswer }, index) => {
    const y = TOP + index * ROW;
    const [start, end] = [LANES[from], LANES[to]];
    const tip = end > start ? -7 : 7;
    return `<text class="mono t-${layer}" x="${(start + end) / 2}" y="${y - 6}" text-anchor="middle">${escape(label)}</text><line class="${layer}${isAnswer ? ' answer' : ''}" x1="${start}" x2="${end}" y1="${y}" y2="${y}"/><path class="${layer}" d="M${end} ${y}l${tip} -3.5v7z"/>`;
  });
  const svg = `<g transform="translate(${left} 0)"><text class="title" x="18" y="32">${escape(title)}</text>${heads.join('')}\n${arrows.join('\n')}</g>`;
  return { rows: steps.length, svg };
}

/** A frame as arrows: on the wire, and, where the program itself is asked, to its code and back. */
function stepsOf({ dir, frame, kind, question }) {
  const wire = dir === 'in' ? { from: 2, to: 1 } : { from: 1, to: 2 };
  const asked = frame.type === 'control_request' ? frame : question;
  const message = asked?.request.message;
  const layer = !asked ? 'message' : message ? 'mcp' : 'control';
  const isAnswer = frame.type === 'control_response';
  const name = message?.method ?? asked?.request.subtype ?? describe(frame, kind);
  const arrow = { ...wire, layer, isAnswer, label: isAnswer ? `${name}: ${resultOf(frame)}` : name };
  const isForCode =
    dir === 'in' &&
    !isAnswer &&
    (message?.method === 'tools/call' || asked?.request.subtype === 'can_use_tool');
  if (isForCode) {
    const label = message ? 'greet({ name })' : 'canUseTool()';
    return [arrow, { from: 1, to: 0, layer, isAnswer: false, label }];
  }
  if (
    dir === 'out' &&
    isAnswer &&
    (message?.method === 'tools/call' || asked?.request.subtype === 'can_use_tool')
  )
    return [{ from: 0, to: 1, layer, isAnswer: true, label: message ? '"Hello, Alice!"' : 'allow' }, arrow];
  return [arrow];
}

function describe(frame, kind) {
  const [, , name] = kind.split(' ');
  const block = Array.isArray(frame.message?.content) ? frame.message.content[0]?.type : undefined;
  if (name === 'system/session_state_changed') return `state: ${frame.state}`;
  if (name === 'user' && block !== 'tool_result') return 'user: "Greet Alice."';
  return block === undefined ? name : `${name}: ${block}`;
}

function resultOf({ response }) {
  const body = response.response;
  if (body?.mcp_response) {
    const { result } = body.mcp_response;
    if (result?.tools) return `${result.tools.length} tool`;
    return result?.content ? 'content' : Object.keys(result ?? {}).length === 0 ? 'ok' : 'capabilities';
  }
  if (body?.sdk_mcp_manifests_parked) return 'parked';
  return body?.behavior ?? 'ok';
}

function escape(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
