// The table of commands. Each command has a folder here. Its `command.ts` says how the command is called, and the other
// files carry it out.
import { ACP_COMMAND } from './acp/command.js';
import { CALL_COMMAND } from './call/command.js';
import { CALLS_COMMAND } from './calls/command.js';
import { CLUSTER_COMMAND } from './cluster/command.js';
import type { Command } from './command.js';
import { DATA_COMMAND } from './data/command.js';
import { DEMO_COMMAND } from './demo/command.js';
import { DOCTOR_COMMAND } from './doctor/command.js';
import { INIT_COMMAND } from './init/command.js';
import { INSPECT_COMMAND } from './inspect/command.js';
import { MIGRATE_COMMAND } from './migrate/command.js';
import { PLAY_COMMAND } from './play/command.js';
import { REMOTE_COMMAND } from './remote/command.js';
import { RUN_COMMAND } from './run/command.js';
import { SERVE_COMMAND } from './serve/command.js';
import { TOOLS_COMMAND } from './tools/command.js';
import { TRACE_COMMAND } from './trace/command.js';

/** All commands by name, in the order of the help. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  play: PLAY_COMMAND,
  demo: DEMO_COMMAND,
  init: INIT_COMMAND,
  doctor: DOCTOR_COMMAND,
  run: RUN_COMMAND,
  call: CALL_COMMAND,
  tools: TOOLS_COMMAND,
  serve: SERVE_COMMAND,
  acp: ACP_COMMAND,
  remote: REMOTE_COMMAND,
  trace: TRACE_COMMAND,
  inspect: INSPECT_COMMAND,
  cluster: CLUSTER_COMMAND,
  calls: CALLS_COMMAND,
  data: DATA_COMMAND,
  migrate: MIGRATE_COMMAND,
};
