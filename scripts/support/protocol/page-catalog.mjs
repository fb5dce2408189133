// The catalogue on the page of the protocol: every request and every message, what it is for, and an example.
import { CLI_REQUESTS, HOST_REQUESTS, MESSAGES } from './descriptions.mjs';
import { lines, messageKind, missing, pick, seenWhere } from './page-frames.mjs';
import { names } from './protocol-names.mjs';

export function hostRequests(frames) {
  const rows = names.controlRows();
  const order = Object.keys(HOST_REQUESTS);
  const table = order.map((subtype) => {
    const { method, since } = rows.get(subtype) ?? {};
    return `| [\`${subtype}\`](#${subtype}) | ${method ? `\`${method}\`` : '–'} | ${since ?? 'not known'} |`;
  });
  const entries = order.map((subtype) => {
    const answer = pick(frames, ({ kind }) => kind === `reply in ${subtype}`);
    const example = answer
      ? lines([
          ['out', answer.question],
          ['in', answer.frame],
        ])
      : missing(subtype);
    return `### \`${subtype}\`\n\n${about(HOST_REQUESTS[subtype], frames, `request out ${subtype}`)}\n\n${example}`;
  });
  return `| subtype | method | since |\n|---|---|---|\n${table.join('\n')}\n\n${entries.join('\n\n')}`;
}

function about(why, frames, kind) {
  const seen = seenWhere(frames.filter((each) => each.kind === kind));
  return seen === '' ? why : `${why} ${seen}`;
}

export function cliRequests(frames) {
  return Object.entries(CLI_REQUESTS)
    .map(([subtype, why]) => {
      const answer = pick(frames, ({ kind }) => kind === `reply out ${subtype}`);
      const example = answer
        ? lines([
            ['in', answer.question],
            ['out', answer.frame],
          ])
        : missing(subtype);
      return `### \`${subtype}\`\n\n${about(why, frames, `request in ${subtype}`)}\n\n${example}`;
    })
    .join('\n\n');
}

/** Of messages that come in several forms, the one that says most. */
const TELLING = {
  assistant: ({ message }) => message.content[0].type === 'tool_use',
  user: ({ message }) => message.content[0]?.type === 'tool_result',
  result: ({ subtype }) => subtype === 'success',
  stream_event: ({ event }) => event.type === 'content_block_delta',
  'system/status': ({ status }) => status === 'compacting',
  'system/background_tasks_changed': ({ tasks }) => tasks.length > 0,
  'system/informational': ({ content }) => content.includes('Noted'),
};

export function messages(frames) {
  const versions = names.messageVersions();
  return Object.entries(MESSAGES)
    .map(([kind, why]) => {
      const of = frames.filter((each) => messageKind(each) === kind);
      const { [kind]: isTelling = () => true } = TELLING;
      const found = pick(of, ({ dir, frame }) => dir === 'in' && isTelling(frame));
      const sent = pick(of, ({ dir }) => dir === 'out');
      const since = versions.get(kind.replace(/^system\//, ''));
      const about = [why, seenWhere(of), since && `First seen on ${since}.`].filter(Boolean).join(' ');
      const example = found
        ? lines([...(sent ? [['out', sent.frame]] : []), ['in', found.frame]])
        : missing(kind);
      return `### \`${kind}\`\n\n${about}\n\n${example}`;
    })
    .join('\n\n');
}
