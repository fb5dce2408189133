// What the history of a conversation shows against the promises: leases, order, epochs, prompts. Reads what the journal kept, by
// its own clock, and trusts nothing that a worker said.

/** Broken promises, as `{ promise, message }`. */
export function checkConversation(history) {
  return [
    ...checkLeases(history),
    ...checkOrder(history),
    ...checkEpochs(history),
    ...checkPrompts(history),
    ...checkNumbers(history),
  ];
}

function* checkLeases({ leases }) {
  for (const [index, lease] of leases.entries()) {
    const before = leases[index - 1];
    if (before && before.epoch >= lease.epoch)
      yield { promise: 'G3', message: `lease ${lease.epoch} came after ${before.epoch}` };
    if (before && before.until > lease.grantedAt) {
      const ms = before.until - lease.grantedAt;
      yield {
        promise: 'G3',
        message: `leases ${before.epoch} and ${lease.epoch} were valid together for ${ms} ms`,
      };
    }
  }
}

function* checkOrder({ turns }) {
  const begun = turns.filter(({ startedAt }) => startedAt !== undefined);
  for (const [index, turn] of begun.entries()) {
    const before = begun[index - 1];
    if (before && before.place >= turn.place)
      yield { promise: 'G3', message: `${turn.id} is listed after ${before.id}` };
    if (before && !(before.endedAt <= turn.startedAt))
      yield { promise: 'G3', message: `${turn.id} began before ${before.id} had ended` };
  }
}

/** Checks that nothing was written under an epoch after a newer one was given. Epoch 0 marks what was written without a lease. */
function* checkEpochs({ leases, events, entries }) {
  const known = new Set(leases.map(({ epoch }) => epoch));
  for (const [name, rows] of [
    ['event', events],
    ['entry', entries],
  ]) {
    let newest = 0;
    for (const { epoch } of rows) {
      if (epoch === 0) continue;
      if (!known.has(epoch))
        yield { promise: 'G4', message: `an ${name} has the epoch ${epoch}, which no lease had` };
      if (epoch < newest)
        yield { promise: 'G4', message: `an ${name} of epoch ${epoch} was written after one of ${newest}` };
      newest = Math.max(newest, epoch);
    }
  }
  for (const { id, epoch, at } of events) {
    const next = leases.find((lease) => lease.epoch > epoch);
    if (epoch !== 0 && next && at > next.grantedAt)
      yield { promise: 'G4', message: `event ${id} of epoch ${epoch} came after lease ${next.epoch}` };
  }
}

function* checkPrompts({ turns, entries }) {
  const uuids = entries.flatMap(({ entry }) => (entry.type === 'user' && entry.uuid ? [entry.uuid] : []));
  for (const { id, uuid, state } of turns) {
    const count = uuids.filter((found) => found === uuid).length;
    if (count > 1)
      yield { promise: 'G8', message: `the message of ${id} is in the transcript ${count} times` };
    if (count === 0 && state === 'ended')
      yield { promise: 'G8', message: `the message of ${id} is not in the transcript` };
  }
  const roots = entries.filter(({ entry }) => entry.parentUuid === null && entry.type === 'user');
  if (roots.length > 1) yield { promise: 'G8', message: `the conversation was begun ${roots.length} times` };
}

function* checkNumbers({ events }) {
  for (const [index, { id }] of events.entries()) {
    if (id !== index + 1) {
      yield { promise: 'G13', message: `event ${id} is in place ${index + 1}` };
      return;
    }
  }
}
