// Creates the parts of a run of the fake CLI. Each part is given only parts that were created before it.
import { HostConnection } from './host/host-connection.js';
import { HostInbox } from './host/host-inbox.js';
import { HostServers } from './host/host-servers.js';
import { readConfiguredServers } from './host/launch-flags.js';
import { LineWriter } from './host/line-writer.js';
import { MessageWriter } from './host/message-writer.js';
import { PromptQueue } from './host/prompt-queue.js';
import { TakenLines } from './host/taken-lines.js';
import type { FakePipes } from './pipes/fake-pipes.js';
import { RunState, type RunStart } from './run-state.js';

/** The parts that the script player and the reader of lines share. */
export interface RunParts {
  readonly state: RunState;
  readonly pipes: FakePipes;
  readonly lines: LineWriter;
  readonly host: HostConnection;
  readonly writer: MessageWriter;
  readonly servers: HostServers;
  readonly prompts: PromptQueue;
  readonly inbox: HostInbox;
  readonly taken: TakenLines;
}

export function createRunParts(start: RunStart, pipes: FakePipes): RunParts {
  const { launch } = start;
  const state = new RunState(start);
  const lines = new LineWriter(state, pipes);
  const host = new HostConnection(state, pipes, lines);
  const writer = new MessageWriter(launch, lines);
  const servers = new HostServers(host, launch.version);
  for (const name of readConfiguredServers(launch.args)) servers.add(name);
  const prompts = new PromptQueue(writer);
  const inbox = new HostInbox(state);
  return { state, pipes, lines, host, writer, servers, prompts, inbox, taken: new TakenLines() };
}
