// What the parts of the stand-in for a Temporal server share: time, errors, and values of the protocol.
import grpc from '@grpc/grpc-js';
import proto from '@temporalio/proto';

export const { EventType: EVENT, CommandType: COMMAND } = proto.temporal.api.enums.v1;

/** An error as gRPC shows it. */
export function fail(code, message) {
  return Object.assign(new Error(message), { code: grpc.status[code] });
}

export const toMs = (duration) =>
  duration ? Number(duration.seconds ?? 0) * 1000 + (duration.nanos ?? 0) / 1e6 : 0;
export const toDuration = (ms) => ({ seconds: Math.floor(ms / 1000), nanos: Math.round((ms % 1000) * 1e6) });
export const now = () => toDuration(Date.now());
export const toToken = (facts) => Buffer.from(JSON.stringify(facts));

/** The timers of a server, which end with it. */
export class Clock {
  #timers = new Set();

  after(ms, act) {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      act();
    }, ms);
    this.#timers.add(timer);
    return timer;
  }

  stop(timer) {
    clearTimeout(timer);
    this.#timers.delete(timer);
  }

  /** Waits for a promise, and no longer than this. */
  async race(promise, ms) {
    let timer;
    await Promise.race([promise, new Promise((resolve) => (timer = this.after(ms, resolve)))]);
    this.stop(timer);
  }

  clear() {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }
}

export function createDeferred() {
  let resolve;
  const promise = new Promise((settle) => (resolve = settle));
  return { promise, resolve };
}
