// docs/protocol.md and its parts, from recordings. The words are here and in `descriptions.mjs`; every frame, order, version and count on
// the page is read from the recordings or from the source.
import { PARTS_HERE } from '../pages/cut-page.mjs';
import { HOST_REQUESTS, NOT_RECORDED } from './descriptions.mjs';
import { cliRequests, hostRequests, messages } from './page-catalog.mjs';
import { checkComplete, lines, nameOf, NEW, OLD } from './page-frames.mjs';

/** How the page is cut. */
export const PROTOCOL_PARTS = [
  {
    name: 'session',
    title: 'A session on the wire',
    intro: 'How a CLI is started, greeted, and asked to call a tool.',
    sections: [
      'The start',
      'Two layers',
      'Both handshakes',
      'One tool call from start to end',
      'One id in four places',
    ],
    says: 'the start, both handshakes, and one tool call from start to end',
  },
  {
    name: 'host-requests',
    sections: ['Requests of the host'],
    says: 'what a program asks the CLI, one by one',
  },
  { name: 'cli-requests', sections: ['Requests of the CLI'], says: 'what the CLI asks a program' },
  {
    name: 'messages',
    sections: ['Messages'],
    intro: 'Every message that a CLI sends or takes, with what it is for.',
    says: 'the conversation itself, kind by kind',
  },
  {
    name: 'gaps-and-schemas',
    title: 'What was not recorded, and the schemas',
    intro: 'Not everything could be recorded. What was is described by a JSON Schema, too.',
    sections: ['What was not recorded', 'JSON Schemas'],
    says: 'what is missing here, and the frames as JSON Schemas',
  },
];

/** The page as a whole, before it is cut. `frames` are those of `readRecordings`, `launches` how the CLIs were started. */
export function buildPage(frames, launches) {
  checkComplete(frames);
  const of = (scene, version) => frames.filter((each) => each.scene === scene && each.version === version);
  const recordings = new Set(frames.map(({ scene, version }) => `${scene}@${version}`)).size;
  return `# How the protocol works

<!-- Made by scripts/write-protocol-page.mjs from the recordings in test/fixtures/protocol. Edit those, or the script. -->

A host, such as a program with Inboard in it, starts the Claude CLI as a child process and exchanges lines with it: one JSON object to a
line, on the child's stdin and stdout. These pages name every kind of line, and show each that
could be recorded ([some could not](#what-was-not-recorded)): ${frames.length} frames in ${recordings} recordings, on CLI ${OLD} and CLI ${NEW}, with a scripted model. Ids, times and folders in them are stand-ins, and long texts are cut (\`…\`). \`→\` goes to the
CLI, \`←\` comes from it.

${PARTS_HERE}

## The start

${startSection(launches)}

## Two layers

| layer | lines | what for |
|---|---|---|
| messages | any \`type\` but those below | the conversation: prompts, what the model says and does, results, and what the CLI reports meanwhile |
| control | \`control_request\`, \`control_response\`, \`control_cancel_request\` | questions between host and CLI, in both directions, each with one answer |

Inside the second there is a third: JSON-RPC of the Model Context Protocol, in requests of the subtype \`mcp_message\`. That is how tools
inside the host are reached. A program that reads messages sees nothing of the control layer; a recording sees all of it.

${envelopeSection(frames)}

## Both handshakes

${handshakeSection(of)}

## One tool call from start to end

![The same call on both CLIs: with the older one the server is asked for its tools, with the newer one they came with the handshake](protocol.svg)

${tableOf(of('greet', OLD), of('greet', NEW))}

The example \`examples/annotated-trace\` makes this recording, puts it beside one of another SDK, and explains the differences.

## One id in four places

The id that the model gives its use of a tool (\`tool_use_id\`) is in all lines that belong to it, in both layers, and ties them together. From the recording on CLI
${NEW}, shortened to where it stands (that CLI repeats it beside the messages, in \`tool_use_meta\` and \`tool_result_meta\`):

${idSection(of('greet', NEW))}

## Requests of the host

These are ${Object.keys(HOST_REQUESTS).length} requests. "Since" is the first CLI that knows it; ${OLD} is the oldest that was tried. Those without a method are sent with
\`query.request(subtype, fields)\`, or by the SDK itself.

${hostRequests(frames)}

## Requests of the CLI

The SDK answers these with your tools and callbacks. What has no answerer is refused with an error, and the CLI goes on.

${cliRequests(frames)}

## Messages

${messages(frames)}

## What was not recorded

${notRecorded(frames)}

## JSON Schemas

\`inboard/schema/frames.schema.json\` (draft 2020-12) describes every frame in the recordings, by kind: \`#/$defs/request.<subtype>\`,
\`reply.<subtype>\`, \`message.<type>\` and \`message.system.<subtype>\`. It is made from the same recordings as this page, and a test holds every
recorded frame to it, and sees that frames with a field missing or of the wrong type are refused. Kinds and fields that it does not name
are allowed: a newer CLI sends more. A trace file as a whole is described by \`inboard/schema/trace.schema.json\` ([traces](traces.md#the-format)).

To make the page anew, on Linux, after a build: \`node scripts/record-protocol.mjs && node scripts/write-protocol-page.mjs\`.
`;
}

function startSection(launches) {
  const { args, env } = launches[NEW];
  const isSame = JSON.stringify(launches[OLD]) === JSON.stringify(launches[NEW]);
  return `With the options of the [call below](#one-tool-call-from-start-to-end) (a model, two turns, a permission callback) the SDK started the CLI ${NEW} so${isSame ? `, and ${OLD} the same` : ''}:

\`\`\`
claude ${args.join(' ')}
\`\`\`

| | |
|---|---|
| \`--output-format stream-json --verbose --input-format stream-json\` | always there: lines of JSON in both directions |
| \`--permission-prompt-tool=stdio\` | permissions are asked for by \`can_use_tool\`; there because of \`canUseTool\` |
| \`--max-turns=…\`, \`--model=…\`, \`--setting-sources=…\` | options of the program; each option has a flag, a field of \`initialize\`, or a variable |

${env.map((line) => `\`${line}\``).join(', ')} were added to the environment: who asks, and that the host wants to
hear of \`session_state_changed\`. In-process servers are not on the command line, except where a CLI is started to go on with a turn
(\`docs/discoveries/crash-and-resume.md\` in the repository). A flag that the CLI does not know ends it at once, so
the SDK leaves out what the version found does not have ([CLI versions](cli-versions.md)).`;
}

function envelopeSection(frames) {
  const success = frames.find(
    ({ kind, frame }) => kind === 'reply in set_model' && frame.response.subtype === 'success',
  );
  const request = success.question;
  const error = frames.find(
    ({ kind, frame }) => kind === 'reply in set_permission_mode' && frame.response.subtype === 'error',
  );
  const cancel = frames.find(({ kind, version }) => kind === 'cancel in' && version === NEW);
  return `A request has an id of the side that asks; its answer has the same. There is a second kind of answer, and a way to take a question back:

${lines([
  ['out', request],
  ['in', success.frame],
  ['out', error.question],
  ['in', error.frame],
  ['in', cancel.frame],
])}

Answers come in any order. A side that gets a request it does not know answers with an error; CLI ${OLD} is silent instead
([controls](controls.md)).`;
}

function handshakeSection(of) {
  const first = (list, kind) => list.find((each) => each.kind === kind);
  const [old, today] = [of('greet', OLD), of('greet', NEW)];
  const mcp = old.filter(({ frame, question }) => {
    const method = (question ?? frame).request?.message?.method;
    return method !== undefined && method !== 'tools/call';
  });
  const parked = first(today, 'reply in initialize').frame.response.response.sdk_mcp_manifests_parked;
  const byFlag = of('greet-by-flag', OLD).filter(
    ({ frame }) => frame.request?.message?.method === 'initialize',
  ).length;
  return `**The host opens the session** with \`initialize\`, as its first line. It does not wait for the answer: the first prompt may follow at once, and the CLI
keeps it until it is ready.

${lines([
  ['out', first(today, 'request out initialize').frame],
  ['in', first(today, 'reply in initialize').frame],
])}

**The CLI opens each in-process server**, as any MCP client does: \`initialize\`, \`notifications/initialized\`, \`tools/list\`. CLI ${OLD} asks for all three:

${lines(mcp.map(({ dir, frame }) => [dir, frame]))}

CLI ${NEW} asks for none of them, because the host's \`initialize\` had brought the answers along (\`sdkMcpServerManifests\`). The reply says
\`"sdk_mcp_manifests_parked":${JSON.stringify(parked)}\`, and the first MCP message is the call. A server named on the command line
as well (\`--mcp-config\` with \`"type":"sdk"\`) is opened twice: CLI ${OLD}, started so, sent \`initialize\` ${byFlag} times.`;
}

function tableOf(old, today) {
  const row = ({ dir, kind, frame, question }) => {
    const method = (question ?? frame).request?.message?.method;
    const [what, , name] = kind.split(' ');
    const block = Array.isArray(frame.message?.content) ? ` (\`${frame.message.content[0].type}\`)` : '';
    const state = frame.state === undefined ? '' : ` \`${frame.state}\``;
    return `${dir === 'out' ? '→' : '←'} ${what === 'reply' ? 'reply to ' : ''}\`${method ?? name}\`${method ? ' (MCP)' : ''}${block}${state}`;
  };
  const [left, right] = [old.map(row), today.map(row)];
  const rows = Array.from({ length: Math.max(left.length, right.length) }, (_, index) => {
    return `| ${index + 1} | ${left[index] ?? ''} | ${right[index] ?? ''} |`;
  });
  return [`| | CLI ${OLD} | CLI ${NEW} |`, '|---|---|---|', ...rows].join('\n');
}

function idSection(frames) {
  const use = frames.find(({ frame }) => frame.message?.content?.[0]?.type === 'tool_use');
  const { id } = use.frame.message.content[0];
  const places = [
    ["`message.content[].id` of the model's message", use],
    [
      '`request.tool_use_id` of the permission question',
      frames.find(({ kind }) => kind === 'request in can_use_tool'),
    ],
    [
      '`params._meta["claudecode/toolUseId"]` of the call',
      frames.find(({ frame }) => frame.request?.message?.method === 'tools/call'),
    ],
    [
      '`message.content[].tool_use_id` of the result',
      frames.find(({ frame }) => frame.message?.content?.[0]?.type === 'tool_result'),
    ],
  ];
  return places
    .map(([place, { dir, frame }], index) => {
      if (!JSON.stringify(frame).includes(id)) throw new Error(`${id} is not in ${place}.`);
      return `${index + 1}. ${place}\n\n${lines([[dir, withId(frame, id)]])}`;
    })
    .join('\n\n');
}

/** A frame without what is beside the branch that holds the id. */
function withId(value, id) {
  if (Array.isArray(value))
    return value.filter((each) => JSON.stringify(each).includes(id)).map((each) => withId(each, id));
  if (typeof value !== 'object' || value === null) return value;
  const kept = new Set(['type', 'subtype', 'name', 'method', 'tool_name', 'role']);
  const has = (each) => JSON.stringify(each)?.includes(id);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, each]) => has(each) || kept.has(key))
      .map(([key, each]) => [key, has(each) ? withId(each, id) : each]),
  );
}

function notRecorded(frames) {
  const entries = Object.entries(NOT_RECORDED).filter(
    ([name]) => !frames.some((each) => nameOf(each) === name),
  );
  return `${entries.length} of the requests and messages that the SDK has types for are in no recording:\n\n${entries.map(([name, why]) => `- \`${name}\`: ${why}`).join('\n')}`;
}
