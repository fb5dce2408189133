// Runs one CLI process of a conversation from its start to its end. Waits for the handshake, makes earlier changes again and
// reads the messages. `conversation-cli` decides whether another process follows.
import type { InitializeResponse } from '../../wire/protocol/control/control.js';
import type { SDKMessage } from '../../wire/protocol/messages/messages.js';
import { LiveCli } from '../../live/live-cli.js';
import type { QueryOptions } from '../../live/tooling/name-tools.js';
import type { RecordingParts } from './recording-parts.js';

export interface CliRun {
  parts: RecordingParts;
  options: QueryOptions;
  /** The CLI is idle and has not taken up the message with this id. */
  onIgnored: (uuid: string) => void;
  onHandshake: (live: LiveCli) => void;
  /** The handshake is complete and all changes are made, though the CLI may have ended since. */
  onReady: (live: LiveCli, reply: InitializeResponse) => void;
  onMessage: (message: SDKMessage) => void;
  /** The process is gone. `error` is the error that ended its messages, if there was one. */
  onEnd: (error: unknown) => void;
}

/** Starts a process. Throws for wrong options. */
export function runCli(run: CliRun): LiveCli {
  const { parts, options, onIgnored } = run;
  const { launch, gate, calls, recording } = parts;
  const live = new LiveCli({
    options,
    launch,
    calls,
    slot: gate,
    recorder: () => recording.recorder,
    unrecorded: () => recording.pendingResults.obstacle,
    completed: recording.completed.splice(0),
    readsPartials: true,
    onIgnored,
  });
  void readMessages(live, run);
  void prepare(live, run);
  return live;
}

async function prepare(live: LiveCli, { parts, onHandshake, onReady }: CliRun): Promise<void> {
  let reply: InitializeResponse;
  try {
    reply = await live.initialized;
  } catch (error) {
    // The reader of the messages gets the error. Without this, a CLI that never answers the handshake would run forever.
    void live.close({ kind: 'failed', error });
    return;
  }
  onHandshake(live);
  for (const error of await parts.journal.apply(live)) parts.warnings.report(error);
  onReady(live, reply);
}

async function readMessages(live: LiveCli, { onMessage, onEnd }: CliRun): Promise<void> {
  let error: unknown;
  try {
    for (let step = await live.next(); !step.done; step = await live.next()) {
      onMessage(step.value);
    }
  } catch (thrown) {
    error = thrown;
    await live.close({ kind: 'failed', error });
  }
  await live.over;
  onEnd(error);
}
