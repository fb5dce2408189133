// Remembers which requests came over a connection within this machine. A standard request does not say how it arrived.

const requests = new WeakSet<Request>();

/** Notes that a request came from this machine. */
export function noteLoopback(request: Request): void {
  requests.add(request);
}

/** Whether it is known that a request came from this machine. */
export function cameOverLoopback(request: Request): boolean {
  return requests.has(request);
}
