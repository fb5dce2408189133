// Advice about errors of clusters and CLIs on other hosts.
import type { Advice } from './advice.js';

export const CLUSTER_ADVICE: Advice<'LeaseLostError' | 'ClusterError' | 'RemoteError' | 'TemporalError'> = {
  LeaseLostError: {
    LEASE_LOST: {
      when: 'A worker wrote to a conversation whose lease it no longer has. `reason` and the message say why, where that is known.',
      advice:
        'Nothing: the session ends by itself, and a worker continues the turn. If this happens often, look at `reason`: for `late`, raise `leaseMs`, or find out what blocks the event loop; for `locked`, keep transactions under `holdFence()` shorter than `leaseMs`; for `unreachable`, look at the database and the network.',
    },
  },
  ClusterError: {
    CONVERSATION_UNKNOWN: {
      when: 'A message was sent to a conversation that does not exist, without naming its agent. Or the call names a `tenant`, and the conversation under this key does not belong to it.',
      advice:
        'Pass `{ agent }` to `cluster.conversation()` where you send the first message. Where there are tenants, make the tenant a part of the key.',
    },
    CONVERSATION_CLOSED: {
      when: 'A message was sent to a closed conversation.',
      advice: 'Start another conversation under another key.',
    },
    TURN_UNKNOWN: {
      when: 'A turn was asked for that the journal does not have.',
      advice: 'Check the key and the id. A removed conversation no longer has any turns.',
    },
    AGENT_UNKNOWN: {
      when: 'A conversation belongs to an agent that is not in `agents`, for instance after a deployment that renamed it.',
      advice: 'Keep an agent in `agents` for as long as it has conversations.',
    },
    BUDGET_EXCEEDED: {
      when: "A turn did not start because a budget of `createCluster({ budgets })` is used up. This is the `error` of the turn's outcome, whose text names the budget. The turn before, which crossed it, ended as `BUDGET`.",
      advice: 'Raise the budget or wait for its period to end, then send the message again.',
    },
    BUDGET_RESERVED: {
      when: "A turn did not start because running turns have reserved what is left of a budget, and `budgets` says `whenReserved: 'refuse'`. This is the `error` of the turn's outcome, whose text names the budget.",
      advice:
        'Send the message again once a running turn has ended, or leave out `whenReserved`, and turns wait.',
    },
    BUDGET_FAILED: {
      when: "The function `budgets.tenant` of `createCluster()` threw, so that nobody knows what the turn may cost. The turn is tried again, `maxAttempts` times in all; then this is the `error` of the turn's outcome.",
      advice: 'Look at the message and at `cause`, and fix the function. Return undefined for no limit.',
    },
    TURN_TRIED_TOO_OFTEN: {
      when: "The workers that tried a turn died or failed `maxAttempts` times. This is the `error` of the turn's outcome.",
      advice: "Look in the workers' events and logs for the cause, then send the message again.",
    },
    CLUSTER_CLOSED: {
      when: 'A cluster, a worker or a journal was used after it was closed.',
      advice: 'Create a new one.',
    },
    CLUSTER_LIBRARY_MISSING: {
      when: '`inboard/cluster/postgres` did not find the package `pg`, or `inboard/cluster/bullmq` the package `bullmq`.',
      advice: 'Install it next to `inboard`; the message gives the command.',
    },
    JOURNAL_UNAVAILABLE: {
      when: 'The database of the journal cannot be reached, did not answer in time, or does not allow what the role wants to do. Or its tables could not be brought up to date, because another session has locked them; the message names it.',
      advice:
        'If the error is `retryable`, try again later; workers keep trying on their own. If the role lacks a right, run what `grantSql()` prints for it.',
      retryable: true,
    },
    JOURNAL_VERSION: {
      when: 'The tables of the journal need a newer version of this package, or they are missing or too old and this process may not change them. Or a row holds something else than this version expects; the message names the table and the column. A running worker ends with this error when the tables have become too new for it.',
      advice: 'Update the package, or run the migrations with a role that may create tables.',
    },
    DISPATCHER_UNAVAILABLE: {
      when: 'The server of the dispatcher, Redis or PostgreSQL, cannot be reached, or did not answer in time.',
      advice:
        'Nothing is lost: the work is in the journal, and a worker finds it on its next sweep. Bring the server back.',
      retryable: true,
    },
  },
  RemoteError: {
    REMOTE_REFUSED: {
      when: 'The other host refused the connection: the token is wrong, or it does not trust the certificate.',
      advice: 'Give both sides the same token, or certificates from the same authority.',
    },
    REMOTE_LINK_LOST: {
      when: 'The link to the other host could not be established, broke, or was silent for too long. The CLI there is stopped.',
      advice: 'Open the session again with `resume`. With `restart`, this happens automatically.',
      retryable: true,
    },
    REMOTE_LISTEN_FAILED: {
      when: '`serveCli()` cannot listen on its address, for instance because another program already does.',
      advice: 'Choose another port, or stop the other program.',
    },
    REMOTE_NOT_SECURE: {
      when: 'The link would not be protected: the serving side asks for no proof of identity, or one side would talk to another machine without TLS. Or a certificate cannot be used, or is not trusted here.',
      advice:
        'Pass a `token`, use TLS with client certificates, or, for a link that is already authenticated, `trusted`. For a certificate from your own authority, pass `tls: { ca }`.',
    },
    REMOTE_PROTOCOL: {
      when: 'The other side speaks another version of the protocol, or sent something that cannot be understood.',
      advice: 'Install the same version of the package on both hosts.',
    },
    REMOTE_START_FAILED: {
      when: 'The CLI could not be started on the other host.',
      advice: 'Read the message: it contains what that host reported.',
    },
  },
  TemporalError: {
    TEMPORAL_TURN_FAILED: {
      when: 'Temporal has stopped trying to work on the turn. The message has the last error, and `failureType` its type.',
      advice:
        'Mend the cause, and send the message again under another id. The conversation goes on in the meantime.',
    },
    TEMPORAL_TURN_UNKNOWN: {
      when: 'The workflow of the conversation knows no turn with this id: it was never sent there, or the conversation has closed since and was begun anew.',
      advice:
        'Send the turn again under the same id. If it has ended, the next attempt finds its answer in the transcript.',
    },
    TEMPORAL_TURN_FORGOTTEN: {
      when: 'The turn ended long ago: a workflow keeps the outcomes of its last ten turns.',
      advice: 'Read the transcript, and ask for outcomes in time.',
    },
    TEMPORAL_ANSWER_REFUSED: {
      when: 'No turn at work has such a question, or the answer is wrong or too large.',
      advice:
        'Ask for the open questions again. Make answers with `allow()` and `deny()`, and pass the id of an open question.',
    },
  },
};
