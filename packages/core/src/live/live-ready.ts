// Handles requests to a live CLI that take more than one step: the first and the repeated handshake, and `ready()`.
// During `ready()`, a first prompt that is not written yet is held back and the input stays open.
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

/** The state that `ready()` holds back or keeps open. */
interface ReadyState {
  prompt: FirstPrompt;
  holds: InputHolds;
}

/** Resolves when servers and tools are available. Rejects with an error that names the missing ones. */
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
    // The holds end a moment later, so that a caller who learns of a missing tool can close the CLI before the prompt
    // is sent.
    setImmediate(() => {
      releasePrompt();
      releaseInput();
      lifetime.reconsider();
    });
  }
}

/**
 * Completes the first handshake: adds the hooks and in-process servers to the fields from the options. Returns a
 * promise only if a foreign server must be asked first.
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

/** Repeats the handshake with the current in-process servers. */
export function repeatHandshake(
  version: VersionView,
  { options: settings, handshake, tools, request }: LiveParts,
  first: Launched['initialize'],
  options?: RequestOptions,
): Promise<InitializeResponse> {
  const areServersSent = settings.sdkServerRegistration !== 'argv';
  return handshake.renew(async () => {
    // A server that was added since the start may need the version.
    if (tools.tellsVersion) await version.learn();
    const fields = repeatInitializeRequest(first, areServersSent ? await tools.plan(version.known) : {});
    return await request({ subtype: 'initialize', ...fields }, options);
  });
}
