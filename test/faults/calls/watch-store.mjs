// The same points around a session store in memory, and around the journal of a cluster.

const POINT_OF = {
  asked: 'question stored',
  answered: 'answer noted',
  begun: 'begin recorded',
  ended: 'result recorded',
};

/** The store, with points around its records and around what a completion appends; `hasCli` tells that from what a CLI writes. */
export function watchStore(store, points, hasCli) {
  return new Proxy(store, {
    get(target, name) {
      if (name === 'calls') return (key) => watchRecords(target.calls(key), points);
      if (name === 'append') return watchAppend(target, points, hasCli);
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

function watchRecords(records, points) {
  return {
    ...records,
    add(fact) {
      if (fact.input?.call !== undefined) points().keys.set(fact.callKey, fact.input.call);
      const point = POINT_OF[fact.type];
      const reach = (when) => point && points().reach(point, when, points().keys.get(fact.callKey));
      reach('before');
      records.add(fact);
      reach('after');
    },
    async claim(options) {
      points().reach('claim taken', 'before');
      const claim = await records.claim(options);
      if ('release' in claim) points().reach('claim taken', 'after');
      return claim;
    },
  };
}

const holdsResult = (entries) => JSON.stringify(entries).includes('"tool_result"');

function watchAppend(store, points, hasCli) {
  return async (key, entries) => {
    const isCompletion = !hasCli() && holdsResult(entries);
    if (isCompletion) points().reach('entry written', 'before');
    await store.append(key, entries);
    if (isCompletion) points().reach('entry written', 'after');
  };
}

/** The journal of a worker: the lease is its claim. */
export function watchJournal(journal, points, hasCli) {
  const around =
    (point, callOf) =>
    (method) =>
    async (...args) => {
      points.reach(point, 'before', callOf(args));
      const given = await method(...args);
      points.reach(point, 'after', callOf(args));
      return given;
    };
  const watched = {
    ask: around('question stored', ([, , question]) => question.input.call),
    beginCall: around('begin recorded', ([, { callKey, input }]) => {
      points.keys.set(callKey, input.call);
      return input.call;
    }),
    endCall: around('result recorded', ([, callKey]) => points.keys.get(callKey)),
    lease: around('claim taken', () => undefined),
    store: (method) => (fence) => {
      const store = method(fence);
      return { ...store, append: watchAppend(store, () => points, hasCli) };
    },
  };
  return new Proxy(journal, {
    get(target, name) {
      const value = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      const method = value.bind(target);
      return Object.hasOwn(watched, name) ? watched[name](method) : method;
    },
  });
}
