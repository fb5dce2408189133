// Advice about failures without a class of their own.
import type { Advice } from './advice.js';

export const OTHER_ADVICE: Advice<'InboardError'> = {
  InboardError: {
    ALREADY_OPEN: {
      when: 'A transport, or a tape from `openTape()`, was used for a second session.',
      advice: 'Create one for each session, or pass a function that creates them.',
    },
    APPROVAL_FILE_STUCK: {
      when: 'An answer on disk that does not count cannot be moved out of the way of a new one, because another user owns it or another process is doing the same.',
      advice: 'Delete the file that the message names, as its owner or as root.',
    },
    APPROVAL_FOLDER_UNSAFE: {
      when: 'The folder of `createFileApprovalStore()` belongs to another user, or other users can write to it, so that they could forge answers.',
      advice:
        'Do what the message says: change the mode, use another folder, or name the users in `trustedUids`. Questions stay open until then. See [approvals](approvals.md#who-can-answer).',
    },
    CALLBACK_FAILED: {
      when: 'One of your listeners (`onToolEvent`, `onEnd`, `stderr` and the like) threw. A warning, once per listener.',
      advice: 'Fix the listener; the message names it, and `cause` is what it threw.',
    },
    CALLS_NOT_COMPLETED: {
      when: 'Calls of your tools were cut off, and their results could not be written into the transcript: records or transcript could not be read or written, also after several attempts, or there is nothing to write to. A warning: the model is told that their outcome is unknown. In a cluster an error of the attempt, and the turn is tried again.',
      advice:
        'Read the message and `cause`. Repair the disk or the store; give a session that runs on another machine a `sessionStore` ([approvals](approvals.md)).',
      retryable: 'in a cluster',
    },
    CALL_RECORDS_FAILED: {
      when: 'What happens to the calls of your tools cannot be recorded, or the records cannot be read: the disk is full, or the file system refused. Tools that must not run twice are refused meanwhile.',
      advice: 'Read the message, which names the folder; `cause` is what the file system said.',
    },
    CALL_RECORDS_UNSAFE: {
      when: "The file with the records of a session's calls, or its folder, belongs to another user, can be written by others, or is a link: somebody could forge what happened.",
      advice: 'Do what the message says: correct owner and mode, or remove the file.',
    },
    DIALOG_CALLBACK_FAILED: {
      when: '`onElicitation` or `onUserDialog` threw, or returned something that is not an answer. A warning; the question is cancelled.',
      advice: 'Fix the callback; `cause` is what it threw.',
    },
    HOST_CLOSED: {
      when: 'A tool was still running when a subcommand of `inboard` exited. Its signal aborts with this error as the reason.',
      advice: 'Nothing.',
    },
    LIVE_RUN_FORBIDDEN: {
      when: 'The variable `INBOARD_FORBID_LIVE` is set, and the session would reach a real model.',
      advice: 'Use the scripted model or the fake CLI of `inboard/testing`, or unset the variable.',
    },
    MCP_REQUEST_REFUSED: {
      when: 'The CLI, or a server in a test, refused a request over MCP that your tool or test made.',
      advice: 'Read `cause`: it is the error that came back.',
    },
    MCP_SERVER_NOT_CONNECTED: {
      when: 'A server object from an MCP library could not be connected, for instance because it is already connected elsewhere.',
      advice: 'Give each session a server object that nothing else uses, or use `createSdkMcpServer()`.',
    },
    PERMISSION_CALLBACK_FAILED: {
      when: '`canUseTool` threw, or returned something that is not a decision. A warning; the call is denied. A callback may reject without one after its `signal` has fired.',
      advice: 'Fix the callback; `cause` is what it threw. See [permissions](permissions.md).',
    },
    PROCESS_STUCK: {
      when: 'The CLI, or the process of `spawnClaudeCodeProcess`, did not exit after SIGKILL. A warning if you asked for the end, otherwise an error.',
      advice: 'Find and stop the process yourself, and fix the `kill` method of your spawner.',
    },
    SPILL_FAILED: {
      when: 'Messages that you have not read yet cannot be written to or read from a temporary file.',
      advice: 'Free space in the temporary folder, read faster, or raise `maxBufferedBytes`.',
    },
    TRANSPORT_FAILED: {
      when: 'A method of your `transport` threw, and the session cannot continue without it.',
      advice: 'Fix the transport; `describeTransport()` of `inboard/testing` tests one.',
    },
    TRANSPORT_FAULT: {
      when: 'Your `transport` reported a fault that is not an `InboardError`. A warning.',
      advice: 'Read `cause`: it is the fault.',
    },
    TRANSPORT_STUCK: {
      when: 'Your `transport` did not report its end after `terminate()`. A warning if you asked for the end, otherwise an error.',
      advice: 'Always call `closed` on the receiver, exactly once.',
    },
    WARM_CLI_ENDED: {
      when: 'A CLI that was waiting in a warm pool exited by itself. A warning; the pool replaces it.',
      advice: 'Nothing, unless it happens often; then read `cause`.',
    },
  },
};
