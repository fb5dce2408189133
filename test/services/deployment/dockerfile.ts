// Reads the container file of the template into its stages, as far as that file goes: an instruction that is new to this reader is
// an error, so that none is left out of the test by mistake.

/** What one stage does, in its order. */
export interface Stage {
  name: string;
  base: string;
  steps: Array<
    | { kind: 'RUN'; command: string }
    | { kind: 'COPY'; from: string | undefined; sources: readonly string[]; target: string }
    | { kind: 'WORKDIR'; folder: string }
  >;
  env: Record<string, string>;
  user: string | undefined;
  entrypoint: readonly string[];
  command: readonly string[];
  stopSignal: string | undefined;
  ports: readonly number[];
}

/** The stages, the last of which is the image. */
export function readDockerfile(text: string): Stage[] {
  const stages: Stage[] = [];
  for (const line of text.replaceAll('\\\n', ' ').split('\n')) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const [, word = '', rest = ''] = /^([A-Z]+) (.+)$/.exec(line) ?? [];
    const stage = stages.at(-1);
    if (word === 'FROM') stages.push(openStage(rest, stages.length));
    else if (stage === undefined) throw new Error(`An instruction before FROM: ${line}`);
    else readInstruction(stage, word, rest);
  }
  return stages;
}

function openStage(rest: string, index: number): Stage {
  const [, base = '', name = String(index)] = /^(\S+)(?: AS (\S+))?$/.exec(rest) ?? [];
  const none = { env: {}, user: undefined, entrypoint: [], command: [], stopSignal: undefined, ports: [] };
  return { name, base, steps: [], ...none };
}

function readInstruction(stage: Stage, word: string, rest: string): void {
  if (word === 'RUN') stage.steps.push({ kind: 'RUN', command: rest });
  else if (word === 'WORKDIR') stage.steps.push({ kind: 'WORKDIR', folder: rest });
  else if (word === 'COPY') {
    const words = rest.split(' ').filter(Boolean);
    const from = words[0]?.startsWith('--from=') ? words.shift()?.slice('--from='.length) : undefined;
    const target = words.pop() ?? '';
    stage.steps.push({ kind: 'COPY', from, sources: words, target });
  } else if (word === 'ENV') {
    const [, name = '', value = ''] = /^(\w+)=(\S+)$/.exec(rest) ?? [];
    if (name === '') throw new Error(`Not one variable: ENV ${rest}`);
    stage.env[name] = value;
  } else if (word === 'USER') stage.user = rest;
  else if (word === 'ENTRYPOINT') stage.entrypoint = JSON.parse(rest) as string[];
  else if (word === 'CMD') stage.command = JSON.parse(rest) as string[];
  else if (word === 'STOPSIGNAL') stage.stopSignal = rest;
  else if (word === 'EXPOSE') stage.ports = rest.split(' ').map(Number);
  else if (!(word === 'HEALTHCHECK' && rest === 'NONE')) throw new Error(`Unknown: ${word} ${rest}`);
}
