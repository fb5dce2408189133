// Wrong implementations, for the judge to find: each changes what a host writes into its files, or what it reads of its claim. `cells` are
// those in which it must be found, `found` is what the judge must say.

/** Records that lose one kind of fact and say that all is well. */
const losing = (type) => ({ loses: (fact) => fact.type === type });

const changeEntries = (change) => ({
  entries: (text) => {
    const lines = text.split('\n').filter((line) => line !== '');
    return change(lines.map((line) => JSON.parse(line)))
      .map((entry) => `${JSON.stringify(entry)}\n`)
      .join('');
  },
});

const isResult = ({ type }) => type === 'user';

/** Each result once more, behind itself. */
function writeTwice(entries) {
  const copies = new Map();
  const follow = (uuid) => copies.get(uuid) ?? uuid;
  return entries.flatMap((entry) => {
    const moved = {
      ...entry,
      ...(entry.parentUuid !== undefined && { parentUuid: follow(entry.parentUuid) }),
      ...(entry.leafUuid !== undefined && { leafUuid: follow(entry.leafUuid) }),
    };
    if (!isResult(entry)) return [moved];
    const uuid = `${entry.uuid.slice(0, -4)}0000`;
    copies.set(entry.uuid, uuid);
    return [moved, { ...moved, uuid, parentUuid: entry.uuid }];
  });
}

export const WRONG = {
  'records that lose results': {
    ...losing('ended'),
    cells: ['fake/file/live/after result recorded/one call'],
    found: /"unknown", although it was known/,
  },
  'a decider that runs begun calls again': {
    ...losing('begun'),
    cells: ['fake/file/live/after effect/one call', 'fake/file/completion/after effect/three calls'],
    found: /2 effects/,
  },
  'records that lose answers': {
    ...losing('answered'),
    cells: ['fake/file/live/after answer noted/one call'],
    found: /asked about again after its answer/,
  },
  'records that lose questions': {
    ...losing('asked'),
    cells: ['fake/file/live/after answer stored/three calls'],
    found: /"did not run", but somebody was asked/,
  },
  'a writer that writes twice': {
    ...changeEntries(writeTwice),
    cells: ['fake/file/completion/after claim taken/one call'],
    found: /has 2 results/,
  },
  'a writer that forgets a result': {
    ...changeEntries((entries) => {
      const last = entries.findLast(isResult);
      const { parentUuid } = last ?? {};
      return entries
        .filter((entry) => entry !== last)
        .map((entry) => (entry.leafUuid === last?.uuid ? { ...entry, leafUuid: parentUuid } : entry));
    }),
    cells: ['fake/file/completion/after claim taken/three calls'],
    found: /"unknown", although it was known/,
  },
  'a writer that gives calls the results of others': {
    ...changeEntries((entries) =>
      JSON.parse(JSON.stringify(entries).replaceAll('paid 0', 'paid 1').replaceAll('paid 2', 'paid 1')),
    ),
    cells: ['fake/file/completion/after claim taken/three calls'],
    found: /the model was told "paid 1"/,
  },
  'no claim': {
    // Who takes it says that it is free.
    claim: (text) => JSON.stringify({ v: JSON.parse(text).v, released: true }),
    cells: ['fake/file/completion/at once two hosts/one call'],
    found: /2 effects/,
  },
};
