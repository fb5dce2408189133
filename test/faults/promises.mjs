// Every promise that a host was given, and what became of it.

export class Promises {
  #all = [];

  /** Follows a promise under a name; gives one that never rejects. */
  follow(name, promise) {
    const entry = { name, state: 'pending' };
    this.#all.push(entry);
    entry.settled = Promise.resolve(promise).then(
      (value) => {
        entry.state = 'value';
        entry.value = typeof value === 'object' ? undefined : value;
      },
      (error) => {
        entry.state = 'error';
        entry.error = describeError(error);
      },
    );
    return entry.settled;
  }

  /** Resolves when all have settled, those included that are followed meanwhile. */
  async allSettled() {
    for (let seen = 0; seen < this.#all.length;) {
      seen = this.#all.length;
      await Promise.all(this.#all.map(({ settled }) => settled));
    }
  }

  /** The same for all but those that end only when everything does. */
  async allSettledBut(...names) {
    await Promise.all(this.#all.filter(({ name }) => !names.includes(name)).map(({ settled }) => settled));
  }

  list() {
    return this.#all.map(({ name, state, value, error }) => ({ name, state, value, error }));
  }
}

/** What a report needs of an error, its causes included. */
function describeError(error, depth = 0) {
  if (!(error instanceof Error)) return { name: typeof error, message: String(error) };
  const { name, message, code, stderrTail, cause } = error;
  return {
    name,
    message: message.slice(0, 300),
    code,
    stderrTail: stderrTail?.slice(-200),
    ...(cause !== undefined && depth < 4 && { cause: describeError(cause, depth + 1) }),
  };
}
