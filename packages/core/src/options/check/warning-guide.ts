// Says when each warning is given and what to do about it. The second half of docs/errors.md is made from it. No entry
// point loads it. The type checker rejects a code of `onWarning` without a row. A test rejects a code that is in the
// sources but not here.
import type { OptionWarningCode, SessionWarningCode } from './warning.js';

/** What a reader needs to know about one code. */
export interface WarningAdvice {
  when: string;
  advice: string;
}

/** Warnings about options, reported when a session is started, or when the version of its CLI is known. */
export const OPTION_WARNINGS: Readonly<Record<OptionWarningCode, WarningAdvice>> = {
  UNKNOWN_OPTION: {
    when: 'There is no option with that name; it has no effect.',
    advice: 'Correct the name: the message suggests one.',
  },
  UNKNOWN_VALUE: {
    when: 'Inboard does not know the value and passes it on, or has treated it as the value that was evidently meant.',
    advice: 'Use one of the values that the message lists.',
  },
  UNKNOWN_HOOK_EVENT: {
    when: '`hooks` names an event that Inboard does not know and that may never occur.',
    advice: 'Correct the name: the message suggests one.',
  },
  UNKNOWN_TOOL_NAME: {
    when: 'A rule in `allowedTools` or `disallowedTools` names a tool that the session does not have, at least not at its start.',
    advice:
      'Correct the name; MCP tools are named `mcp__server__tool`. Ignore the warning if `setMcpServers()` adds the server later.',
  },
  OPTION_IGNORED: {
    when: 'The option has no effect, because of its value or because of another option.',
    advice: 'Leave out one of the options that `options` names.',
  },
  OPTION_MISPLACED: {
    when: 'An option was passed next to `prompt` instead of inside `options`. A process warning.',
    advice: 'Move it into `options`.',
  },
  CLAUDE_SDK_CAN_USE_TOOL_SHADOWED: {
    when: '`canUseTool` is never called: a mode, `permissionPrompts` or `allowedTools` decides first.',
    advice: 'Remove the tools it should decide about from `allowedTools`, or change the mode.',
  },
  ENV_VARIABLE_DROPPED: {
    when: 'A variable in `env` or `extendEnv` is not passed on: it would make the CLI wait for a debugger, or write other output between its messages.',
    advice: 'Leave out the variable.',
  },
  ARGUMENTS_LARGE: {
    when: 'An option is longer than most systems accept, but `spawnClaudeCodeProcess` still gets it on the command line.',
    advice: 'Shorten it, or have the spawner put it into a file.',
  },
  SCHEMA_LIMITS_UNCHECKED: {
    when: 'The CLI cannot check every limit of the schema in `outputFormat`.',
    advice: 'Pass the schema as `output`: it is then checked in full.',
  },
  LOCAL_CLI_IGNORED: {
    when: 'A global `inboard`, or one run by `npx`, ignored a CLI in the folder it was started in.',
    advice:
      'Nothing, or name it with `pathToClaudeCodeExecutable`. See [which CLI is started](runtimes.md#which-cli-is-started).',
  },
  SESSION_LEFTOVER: {
    when: 'A process that has ended has left a transcript on this disk with the `sessionId` of the new session, and `sessionStore` has nothing of it. The session begins in a config folder of its own.',
    advice: 'Nothing, or delete the file that the message names.',
  },
  CLI_VERSION_UNKNOWN: {
    when: "The CLI's version cannot be determined; it is treated like the newest one tested.",
    advice: 'Set `claudeCodeVersion`.',
  },
  CLI_VERSION_UNSUPPORTED: {
    when: 'The CLI is older than the oldest one tested.',
    advice: 'Update it: see [CLI versions](cli-versions.md).',
  },
};

/** Warnings about hooks, servers, tools, their calls and the transcript. */
export const SESSION_WARNINGS: Readonly<Record<SessionWarningCode, WarningAdvice>> = {
  HOOK_NEVER_MATCHES: {
    when: "A hook's `matcher` can never match.",
    advice: 'Correct it: the message says what it is compared with.',
  },
  HOOK_MATCHER_IGNORED: {
    when: 'The event has nothing to match, so the hook is called every time.',
    advice: 'Leave out `matcher`.',
  },
  HOOK_CANNOT_BLOCK: {
    when: '`failClosed` is set on an event that cannot stop anything.',
    advice: 'Leave out `failClosed`, or use an event that comes earlier, such as `PreToolUse`.',
  },
  HOOK_TIMEOUT_LARGE: {
    when: "A hook's `timeout` is so large that it was probably meant in milliseconds.",
    advice: 'Give it in seconds.',
  },
  HOOKS_NOT_APPLIED: {
    when: 'The CLI was already running and did not register the hooks: none of them will be called.',
    advice: 'Start a new session.',
  },
  TOOLS_MISSING: {
    when: 'The CLI does not list a tool that the session defines.',
    advice: 'Read the state of each server in the message, or call `ready()` and read its report.',
  },
  TOOLS_DEFERRED: {
    when: 'The model does not see some tools until it searches for them.',
    advice:
      'Set `alwaysLoad: true` on the tools it needs from the start, and `alwaysLoad: false` on those it may search for.',
  },
  TOOL_NOT_ALLOWED: {
    when: 'The model called one of your tools, and the CLI refused because no rule allows it and there is nobody to ask.',
    advice: 'Add the tool to `allowedTools`, or pass a `canUseTool`.',
  },
  CALL_RECORDS_ONLY_HERE: {
    when: 'The `sessionStore` of a session has no method `calls`, so what happens to calls of its in-process tools is recorded on this machine alone.',
    advice:
      'Nothing, where sessions stay on one machine. Otherwise implement `calls` in the store ([sessions](sessions.md)), so that a session that goes on elsewhere can complete calls that were cut off.',
  },
  CLI_KEPT_WAITING: {
    when: 'A turn waits for people, pending calls or detached tools, but its CLI is kept although `suspendAfterMs` is set: the message names the reason. Given once for each session.',
    advice:
      'Set `suspendWithServers` if the MCP servers that the message names may end with the CLI. Otherwise keep the transcript where this process can write it: leave out `persistSession: false`, or pass a `sessionStore` with a custom transport.',
  },
  PERMISSION_CHANGE_LOST: {
    when: 'Somebody answered a question while there was no CLI, or the CLI died before it acted on the answer, and a change in `updatedPermissions` cannot be made, or not for good: the message names it and says why.',
    advice:
      'Do what the message says, or make the change in the settings yourself. Until then the next session asks again.',
  },
  SETTINGS_HOOKS_NOT_RUN: {
    when: 'A call that was cut off was completed without a CLI, and settings that apply have hooks (`PostToolUse`, `PostToolUseFailure`) which the CLI would have run after it. Once per session.',
    advice:
      'Use the option `hooks`: those callbacks run for completed calls as well. Hooks before the call (`PreToolUse`) ran when the CLI came to it.',
  },
  TRANSCRIPT_KEPT: {
    when: 'The session ran in a temporary config folder, and `sessionStore` did not take its whole transcript. The transcript is kept; login and settings are deleted.',
    advice:
      'Import the transcript from the folder that the message names with `importSessionToStore()`, then delete the folder ([sessions](sessions.md)).',
  },
  TRANSCRIPT_LOST: {
    when: 'A session that was resumed from `sessionStore` ran on another host, as with `connectCli()`, and the store did not take its whole transcript. The other host has deleted its own.',
    advice: 'Repair the store. What it did not take is lost: the next session continues without it.',
  },
  TOOL_NAME_COLLISION: {
    when: 'The model sees two servers under the same name.',
    advice: 'Rename one of them.',
  },
  TOOL_RESULT_TO_FILE: {
    when: 'A result is so long that the CLI saves it to a file and shows the model only its beginning.',
    advice: 'Return less, or raise `maxResultChars`.',
  },
  TOOL_TEXT_HIDDEN: {
    when: 'A tool returned text as well as `structuredContent`; the model sees only the latter.',
    advice: 'Put everything the model should read into one of them.',
  },
  TOOL_DROPPED: {
    when: 'A server object from an MCP library lists a tool that the CLI cannot accept; the tool is left out.',
    advice: 'Correct what the message names.',
  },
  TOOL_CONTEXT_MISSING: {
    when: 'A tool read its context, although neither the options nor its server have one, and then failed over something that was `undefined` or `null`: perhaps the context. Once for each tool; a note stands behind the error that the model is told.',
    advice:
      'If that is why it failed, set `toolContext` in the options, or `context` on the server. See [context](tools/second-argument.md#context).',
  },
  TOOLS_NOT_ANNOUNCED: {
    when: 'Tools were added to a server that had none when the session began; the CLI does not ask for them.',
    advice: 'Create the server with a tool, or with `toolsMayChange: true`.',
  },
  PARALLEL_TOOL_LATE: {
    when: 'A tool marked `parallel` was added after the session began. The CLI runs its calls one after another.',
    advice: 'Have the tool in the session from the start.',
  },
  PARALLEL_CALL_REFUSED: {
    when: 'The CLI called a tool marked `parallel` without running its hooks, or the permission mode changed meanwhile, so that nobody knows whether it should have asked. The model got a tool error.',
    advice:
      'If it is every call, something switches hooks off (`CLAUDE_CODE_SIMPLE`, or `disableAllHooks` in CLI 2.1.33): remove that, or the mark.',
  },
  BATCH_IGNORED: {
    when: 'A batch of JSON-RPC messages arrived for a server and was not run: MCP has no batches.',
    advice: 'Send the messages one by one.',
  },
  LISTENER_FAILED: {
    when: "A server's `onToolEvent` threw.",
    advice: 'Fix the listener.',
  },
  AROUND_TOOL_FAILED: {
    when: '`aroundTool` threw, or did not call `run` once and return its result. The call fails.',
    advice: 'Call `run` once, and return its result.',
  },
  PENDING_REFUSED: {
    when: 'A handler returned `pending()` where its call cannot stay open: in a `query()`, in a server that is served alone or was made by another library, or in a conversation without records. The model got a tool error.',
    advice:
      'Read the reason in the message. Use `openSession()`, a group, `inboard/ui` or ACP, with a transcript that is kept.',
  },
  SERVER_NOT_CONNECTED: {
    when: 'A server object from an MCP library could not be connected, or closed its connection.',
    advice: 'Read the message. One server object serves one connection at a time.',
  },
  WARNING: {
    when: 'An error without a code occurred that does not end the session; it is in `error`.',
    advice: 'Read the message.',
  },
};

/** Process warnings: reported with `process.emitWarning`, even if there is an `onWarning`. */
export const PROCESS_WARNINGS: Readonly<Record<string, WarningAdvice>> = {
  CLAUDE_SDK_MCP_TOOL_SCHEMA_UNCONVERTIBLE: {
    when: 'A tool in the official form has a schema that cannot be shown to the model; it is left out of its server.',
    advice: 'Change the part of the schema that the message names.',
  },
  INBOARD_TOOL_NAME_COLLISION: {
    when: 'The model sees two tools of a server under the same name and can call only the first.',
    advice: 'Rename one of them.',
  },
  INBOARD_TOOL_NAME_REWRITTEN: {
    when: 'The model knows a tool by another name, because the CLI accepts only letters, digits, `_` and `-`.',
    advice: 'Rename the tool.',
  },
  INBOARD_TOOL_UNKNOWN_KEY: {
    when: 'A tool was defined with a key that tools do not have.',
    advice: 'Correct the name of the key.',
  },
  INBOARD_CLUSTER_TROUBLE: {
    when: "A cluster without `onTrouble` could not wake a worker, listen for changes, or read its journal. The operation is retried, or a worker's sweep finds the work. Or a worker without `onEvent` ends, because the journal needs a newer version of the package.",
    advice:
      'See what the message says about the journal or the dispatcher. Pass `onTrouble` to `createCluster()` to be told about each problem.',
  },
  INBOARD_CLUSTER_NOBODY_WORKS: {
    when: 'A conversation in an in-memory cluster has been waiting for five seconds, and this process, the only one that could run it, has no worker. Once for each cluster.',
    advice:
      'Start one: `await using worker = await cluster.work()`. For workers in other processes, give the cluster a shared journal ([clusters](cluster.md)).',
  },
  JOURNAL_NOT_DURABLE: {
    when: "The pool passed to `postgresJournal()` has `synchronous_commit = off`: accepted messages can be lost if the database's machine fails.",
    advice: "Set it to `on` for the journal's role or pool.",
  },
  JOURNAL_NOT_HEARD: {
    when: '`postgresJournal()` reaches PostgreSQL through a pooler that does not pass on notifications, such as PgBouncer with `pool_mode = transaction`. It polls every second instead.',
    advice:
      'Give it the address of PostgreSQL itself as `listenConnectionString`; see [poolers](cluster/postgres.md#poolers).',
  },
  APPROVAL_FILE_IGNORED: {
    when: 'A file in the folder of `createFileApprovalStore()` does not count: another user wrote it or could have, it is damaged, it belongs to another question, or a newer Inboard wrote it. Once for each file.',
    advice:
      'Read the message, which names the file. If it is not one of yours, find out who put it there. The next answer replaces one that does not count.',
  },
  APPROVAL_STORE_FAILED: {
    when: 'Questions of `createApprovals()` wait for answers, and their store cannot be read: a folder is gone, unsafe or no folder, or a store of your own failed. Once for each time that it stops working.',
    advice:
      'Repair what the message names. The questions go on waiting; those that were lost are stored again once the store works.',
  },
  CALL_RECORDS_IGNORED: {
    when: "Something in the records of a session's calls does not count: a newer Inboard wrote it, a file is gone or damaged, or it could have been written by others. Calls that nothing is known of are treated as if their outcome were unknown. Once for each file and reason.",
    advice:
      'Read the message, which names the file. If a newer version wrote it, update the package in every program that opens the session.',
  },
  INBOARD_NO_GUARDIAN: {
    when: 'The process that ends the CLI when yours is killed could not be started.',
    advice: 'See [the end of the host](endings.md#the-end-of-the-host).',
  },
  INBOARD_CALLBACK: {
    when: 'The callback `stderr` threw when there was no session to report it to.',
    advice: 'Fix the callback.',
  },
  INSPECTOR_FAILED: {
    when: '`INBOARD_INSPECT` is set, but the inspector could not be opened. Sessions run without it.',
    advice: 'Read the message: most often the cause is the port or the value of the variable.',
  },
  ANSWER_FAILED: {
    when: 'An answer for a front end failed. The visitor sees a general message without details.',
    advice: 'Read the message, or pass `onError`.',
  },
  CHAT_FAILED: {
    when: 'A request to `createUiChat()` failed unexpectedly.',
    advice: 'Read the message.',
  },
  CHAT_LOG_LOST: {
    when: 'An answer could not be kept for readers that reconnect later.',
    advice: 'Free space in the temporary folder.',
  },
};
