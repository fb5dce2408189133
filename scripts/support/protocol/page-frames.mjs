// What the page says about frames: which are of a kind, where they were seen, how they are shown, and what is missing.
import { CLI_REQUESTS, HOST_REQUESTS, MESSAGES, NOT_RECORDED } from './descriptions.mjs';
import { names } from './protocol-names.mjs';
import { NEWEST as NEW, OLDEST as OLD } from './recorded-versions.mjs';
import { showFrame } from './show-frame.mjs';

export { NEW, OLD };
/** Scenes whose frames are the plainest examples, the best last. */
const PREFERRED = ['unlisted', 'controls', 'hooks', 'greet'];

/** A request's subtype, or a message's kind; results are one kind. */
export function nameOf(each) {
  return each.frame.type === 'control_request' ? each.frame.request.subtype : messageKind(each);
}

export function messageKind({ kind }) {
  const [what, , name] = kind.split(' ');
  if (what !== 'message') return undefined;
  return name.startsWith('result/') ? 'result' : name;
}

/** The frame of a kind that is the plainest example: of the newer CLI, and no refusal. */
export function pick(frames, isWanted) {
  const rank = ({ scene, version, frame }) =>
    PREFERRED.indexOf(scene) + (version === NEW ? 10 : 0) - (frame.response?.subtype === 'error' ? 100 : 0);
  return frames.filter(isWanted).toSorted((one, other) => rank(other) - rank(one))[0];
}

export function seenWhere(found) {
  const versions = new Set(found.map(({ version }) => version));
  if (versions.size === 0) return '';
  return versions.size === 2 ? 'Recorded on both CLIs.' : `Recorded on CLI ${[...versions][0]}.`;
}

export function missing(name) {
  if (!NOT_RECORDED[name])
    throw new Error(`Nothing was recorded of ${name}, and descriptions.mjs does not say why.`);
  return `Not recorded: ${NOT_RECORDED[name]}.`;
}

export function lines(list) {
  return `\`\`\`\n${list.map(([dir, frame]) => `${dir === 'out' ? '→' : '←'} ${showFrame(frame)}`).join('\n')}\n\`\`\``;
}

/** Throws where a name of the recordings or of the types has no sentence, or a sentence no name. */
export function checkComplete(frames) {
  const recorded = (test) => [...new Set(frames.filter(test).map(nameOf))];
  const isRequest = (dir) => (each) => each.frame.type === 'control_request' && each.dir === dir;
  const isMessage = (each) => messageKind(each) !== undefined;
  const sides = [
    {
      what: 'request of the host',
      described: HOST_REQUESTS,
      known: [...names.hostRequests(), ...recorded(isRequest('out'))],
    },
    {
      what: 'request of the CLI',
      described: CLI_REQUESTS,
      known: [...names.cliRequests(), ...recorded(isRequest('in'))],
    },
    { what: 'message', described: MESSAGES, known: [...names.messages(), ...recorded(isMessage)] },
  ];
  for (const { what, described, known } of sides) {
    const absent = known.filter((name) => !Object.hasOwn(described, name));
    if (absent.length > 0)
      throw new Error(`descriptions.mjs has no sentence for the ${what} ${absent.join(', ')}.`);
    const stale = Object.keys(described).filter((name) => !known.includes(name) && !NOT_RECORDED[name]);
    if (stale.length > 0)
      throw new Error(
        `descriptions.mjs has a ${what} that is neither typed nor recorded: ${stale.join(', ')}.`,
      );
  }
}
