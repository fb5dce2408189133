// Requests of a live CLI that take more than one step: the handshake, first and repeated, and `ready()`, during which a first
// prompt that is not written yet is held back and the input stays open.
import {
  completeInitializeRequest,
  repeatInitializeRequest,
  type PlannedServers,
} from '../options/launch/initialize-request.js';
import type { RequestOptions } from '../wire/channel/channel.js';
import type { InitializeResponse } from '../wire/protocol/control/control.js';
import type { Launched } from './launch.js';
import type { LiveParts } from './live-parts.js';
import type { FirstPrompt, InputHolds } from './input/input-state.js';
import type { VersionView } from './live-version.js';
import type { ReadyOptions } from './tooling/await-tools.js';
import type { ToolReport } from './tooling/tool-report.js';

/** What waits while `ready()` does. */
interface ReadyState {
  prompt: FirstPrompt;
  holds: InputHolds;
}

/** Resolves when servers and tools are there; rejects with those that are not. */
export async function awaitReady(
  { prompt, holds }: ReadyState,
  { tools, handshake, lifetime }: LiveParts,
  options?: ReadyOptions,
): Promise<ToolReport> {
  const releasePrompt = prompt.hold();
  const releaseInput = holds.hold();
  try {
    return await tools.ready(handshake.reply, options, releasePrompt);
  } finally {
    // Later, so that a caller who learns that something is missing can close before the prompt is sent.
    setImmediate(() => {
      releasePrompt();
      releaseInput();
      lifetime.reconsider();
    });
  }
}

/**
 * The first handshake: what the options say, and what is answered here, hooks and in-process servers. It is a promise only
 * where a foreign server has to be asked first.
 */
export function completeHandshake(
  { tools, hooks, options }: LiveParts,
  { initialize, version }: Launched,
): Launched['initialize'] | Promise<Launched['initialize']> {
  const complete = (servers?: PlannedServers): Launched['initialize'] =>
    completeInitializeRequest(initialize, hooks.declared, servers);
  const planned = options.sdkServerRegistration === 'argv' ? undefined : tools.plan(version);
  return planned instanceof Promise ? planned.then(complete) : complete(planned);
}

/** Repeats the handshake with the in-process servers there are now. */
export function repeatHandshake(
  version: VersionView,
  { options: settings, handshake, tools, request }: LiveParts,
  first: Launched['initialize'],
  options?: RequestOptions,
): Promise<InitializeResponse> {
  const areServersSent = settings.sdkServerRegistration !== 'argv';
  return handshake.renew(async () => {
    // A server that was added since may be told it.
    if (tools.tellsVersion) await version.learn();
    const fields = repeatInitializeRequest(first, areServersSent ? await tools.plan(version.known) : {});
    return await request({ subtype: 'initialize', ...fields }, options);
  });
}
