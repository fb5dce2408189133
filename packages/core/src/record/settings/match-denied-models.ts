// Tells which models an administrator's deny list (`deniedModels`) denies. This is only advice. The CLI enforces the list.

/** Which of the given models are denied, in the order of the given list. */
export interface DeniedModelsMatch {
  denied: boolean[];
  /** Entries that deny less, or more, than their author may expect. */
  warnings: string[];
}

const FAMILIES = ['opus', 'sonnet', 'haiku', 'fable'];
const FAMILY = FAMILIES.join('|');
/** Names that can mean a different model with each release. */
const MOVING_NAMES = new Set(['default', 'best', 'opusplan']);
/** The parts of a version have one or two digits, so that a date does not count as a version. */
const NEW_STYLE = new RegExp(`(?:^|[^a-z])(${FAMILY})-(\\d{1,2})(?!\\d|\\.)(?:-(\\d{1,2})(?!\\d|\\.))?`);
const OLD_STYLE = new RegExp(`claude-(\\d{1,2})(?:-(\\d{1,2}))?-(${FAMILY})(?![a-z])`);

interface ModelName {
  family: string;
  version: string[];
  /** The text after family and version. */
  rest: string;
}

/**
 * Says for each model whether the list denies it. The name of a family (`opus`) denies all models of the family. The name
 * of a model denies all spellings and snapshots of that model. A name that moves, such as `best`, denies nothing. Any other
 * entry denies only the model with exactly that name.
 */
export async function matchDeniedModels(
  models: readonly string[],
  denied: readonly string[] | null | undefined,
): Promise<DeniedModelsMatch> {
  const warnings = new Set<string>();
  if (denied !== undefined && denied !== null && !Array.isArray(denied))
    warnings.add('deniedModels is not a list, so it denies nothing. Write a list of model names.');
  const tests = (Array.isArray(denied) ? denied : []).flatMap((entry: unknown) =>
    readEntry(entry, (text) => warnings.add(text)),
  );
  const names: readonly unknown[] = Array.isArray(models) ? models : [];
  const verdicts = names.map((model) => {
    if (typeof model !== 'string')
      warnings.add(`A model is a ${typeof model}, not a name; it matches nothing.`);
    return typeof model === 'string' && tests.some((isDenied) => isDenied(normalize(model)));
  });
  return { denied: verdicts, warnings: [...warnings] };
}

function readEntry(entry: unknown, warn: (text: string) => void): ((model: string) => boolean)[] {
  if (typeof entry !== 'string') {
    warn(`An entry of deniedModels is a ${typeof entry}, not a model name; it denies nothing.`);
    return [];
  }
  const name = normalize(entry);
  if (name === '') {
    warn('An entry of deniedModels is empty; it denies nothing.');
    return [];
  }
  if (MOVING_NAMES.has(name)) {
    warn(`"${entry}" denies nothing: it names different models over time. Write the model's own name.`);
    return [];
  }
  const bare = name.replace(/\[\w+\]$/, '');
  if (bare !== name)
    warn(`"${entry}" denies the model at every context size; the part in brackets is ignored.`);
  if (FAMILIES.includes(bare)) return [(model) => model.split(/[^a-z0-9]+/).includes(bare)];
  const parsed = isModelEntry(bare) ? parseName(bare) : undefined;
  if (parsed === undefined) {
    warn(`"${entry}" denies only the model with exactly that name, not other spellings of it.`);
    return [(model) => model === name];
  }
  if (parsed.rest !== '') warn(`"${entry}" denies every snapshot of the model: "${parsed.rest}" is ignored.`);
  return [(model) => isSameModel(parsed, parseModel(model))];
}

/** Whether an entry is the name of a model, perhaps with the prefix of a provider. */
function isModelEntry(name: string): boolean {
  return new RegExp(`^(?:(?:[a-z]+[./])*claude-|(?:${FAMILY})-\\d)`).test(name);
}

function parseModel(model: string): ModelName | undefined {
  return model.includes('claude-') ? parseName(model) : undefined;
}

function parseName(name: string): ModelName | undefined {
  const modern = NEW_STYLE.exec(name);
  if (modern) {
    const [whole, family = '', major = '', minor] = modern;
    return { family, version: listVersion(major, minor), rest: name.slice(modern.index + whole.length) };
  }
  const old = OLD_STYLE.exec(name);
  if (!old) return undefined;
  const [whole, major = '', minor, family = ''] = old;
  return { family, version: listVersion(major, minor), rest: name.slice(old.index + whole.length) };
}

function listVersion(major: string, minor: string | undefined): string[] {
  return minor === undefined ? [major] : [major, minor];
}

/** Whether an entry names a model. A version without a second part stands for all versions with that first part. */
function isSameModel(entry: ModelName, model: ModelName | undefined): boolean {
  return (
    model?.family === entry.family && entry.version.every((part, index) => model.version[index] === part)
  );
}

function normalize(name: string): string {
  return name.trim().toLowerCase();
}
