// Faults of logic that chaos runs, load and readers have found, or that the promises of cluster and calls are about: each as a small change of
// the sources, planted one at a time. `beyond` names those that no promise shows from outside.

const CLUSTER = 'packages/cluster/src/';
const MEMORY = `${CLUSTER}journal/memory/`;
const CONVERSATION = 'packages/core/src/verbs/conversation/';

export const PLANTED = [
  {
    name: 'stopped-worker',
    what: 'a worker that was stopped goes on as if it had its lease still, and runs a call that another worker runs',
    scene: 'cluster',
    edits: [
      {
        file: `${CLUSTER}work/host/held-lease.ts`,
        from: `        // conversation.
        this.demand();
        return result;`,
        to: '        return result;',
      },
    ],
  },
  {
    name: 'question-before-call',
    what: 'a question is stored before the call that it is about, and the turn is lost with a CLI that is killed then',
    scene: 'cluster',
    edits: [
      {
        file: `${CLUSTER}work/session/journal-approvals.ts`,
        from: '      await store.whenStored();\n',
        to: '',
      },
    ],
  },
  {
    name: 'answered-park',
    what: 'a turn is parked although its question was answered a moment before',
    scene: 'cluster',
    edits: [{ file: `${MEMORY}turns.ts`, from: ' && !found.answer;', to: ';' }],
  },
  {
    name: 'lost-hold',
    what: 'answers that come while a turn is being parked reach the CLI that is about to end',
    scene: 'cluster',
    edits: [{ file: `${CLUSTER}work/turns/turn-parking.ts`, from: `        session.goOn();\n`, to: '' }],
  },
  {
    name: 'unfenced-transcript',
    what: 'a worker without its lease writes into the transcript',
    scene: 'cluster',
    edits: [
      {
        file: `${MEMORY}fence.ts`,
        from: 'newest && newest.epoch === epoch && !newest.released ? newest : undefined',
        to: 'newest',
      },
    ],
  },
  {
    name: 'two-leases',
    what: 'a lease is granted half a second before the other has run out',
    scene: 'cluster',
    edits: [
      {
        file: `${MEMORY}leases.ts`,
        from: 'const held = findValidLease(state, conversation, now);\n  if (held) return { state',
        to: 'const held = findValidLease(state, conversation, now + 500);\n  if (held) return { state',
      },
    ],
  },
  {
    name: 'never-taken-over',
    what: 'a conversation whose worker has died is not found again',
    scene: 'cluster',
    edits: [
      {
        file: `${MEMORY}leases.ts`,
        from: '    if (!turn) continue;\n    const isHandedOver',
        to: '    if (!turn || conversation.leases.at(-1)?.released === false) continue;\n    const isHandedOver',
      },
    ],
  },
  {
    name: 'sent-twice',
    what: 'a message that is sent again under its id becomes a second turn',
    scene: 'cluster',
    edits: [
      { file: `${MEMORY}inbox.ts`, from: '  if (known) return { turn: known, isNew: false };\n', to: '' },
    ],
  },
  {
    name: 'events-twice',
    what: 'events whose writing was not confirmed are written again',
    scene: 'cluster',
    edits: [
      {
        file: `${MEMORY}events.ts`,
        from: '  if (batch !== undefined && conversation.batch?.name === batch) return conversation.batch.lastId;\n',
        to: '',
      },
    ],
  },
  {
    name: 'begun-forgotten',
    what: 'a call that a dead worker had begun counts as new, and its handler runs again',
    scene: 'cluster',
    edits: [
      {
        file: `${MEMORY}calls.ts`,
        from: "return before === 0 ? { state: 'new' }",
        to: "return before >= 0 ? { state: 'new' }",
      },
    ],
  },
  {
    name: 'result-forgotten',
    what: 'a call that has its result runs again after a crash',
    scene: 'cluster',
    edits: [
      {
        file: `${MEMORY}calls.ts`,
        from: '  if (known?.result !== undefined) return',
        to: '  if (false) return',
      },
    ],
  },
  {
    name: 'answer-unheard',
    what: 'after its line was cut, a worker does not look whether a question was answered meanwhile',
    scene: 'cluster',
    edits: [
      {
        file: `${CLUSTER}work/host/change-hub.ts`,
        from: 'for (const listeners of this.#listeners.values()) for (const listener of listeners) listener(undefined);',
        to: '',
      },
    ],
  },
  {
    name: 'second-answer',
    what: 'a second answer replaces the first',
    scene: 'cluster',
    edits: [
      {
        file: `${MEMORY}questions.ts`,
        from: 'if (question.answer || !conversation)',
        to: 'if (!conversation)',
      },
    ],
  },
  {
    name: 'cost-twice',
    what: 'the cost of a turn is counted in its conversation again when the turn ends',
    scene: 'cluster',
    edits: [
      {
        file: `${MEMORY}limits.ts`,
        from: 'conversation.totalCostUsd += usd;',
        to: 'conversation.totalCostUsd += 2 * usd;',
      },
    ],
  },
  {
    name: 'old-cli-lives',
    what: 'a worker that has lost its lease leaves its CLI running',
    scene: 'cluster',
    edits: [
      {
        file: `${CLUSTER}work/turns/conversation-run.ts`,
        from: '      void this.#context.session?.abandon();\n',
        to: '',
      },
      // Its turn ends the CLI too, a moment later.
      {
        file: `${CLUSTER}work/turns/turn-run.ts`,
        from: "if (leave.why === 'lost') {\n      await this.#context.abandonSession();\n",
        to: "if (leave.why === 'lost') {\n",
      },
    ],
  },
  {
    name: 'expired-renewed',
    what: 'a renewal that comes late brings back a lease that its worker has given up',
    scene: 'cluster',
    edits: [
      {
        file: `${MEMORY}leases.ts`,
        from: "    if (isOver(state, conversation)) return { key, epoch, held: false, why: 'late', hasWork: false };\n",
        to: '',
      },
    ],
    beyond: 'others get the conversation a lease later, within every bound',
  },
  {
    name: 'unrecorded-question',
    what: 'a question is not recorded, so that the answer to it is lost with the process',
    scene: 'desk',
    edits: [
      {
        file: `${CONVERSATION}completion/recorded-questions.ts`,
        from: '    void this.#add({ ...fact, question: withoutUndefined(question) });\n',
        to: '    void fact;\n    void question;\n',
      },
    ],
  },
  {
    name: 'early-words',
    what: 'what a CLI says before its turn is taken up is lost to the turn',
    scene: 'desk',
    edits: [
      {
        file: `${CONVERSATION}cli-starter.ts`,
        from: "if (current.state === 'starting' && continuation.isDue) this.#early.push(message);",
        to: "if (current.state === 'starting' && continuation.isDue) return;",
      },
    ],
  },
  {
    name: 'unsaved-release',
    what: 'a CLI is let go before it has saved the calls of its turn',
    scene: 'desk',
    edits: [
      {
        file: `${CONVERSATION}waiting-release.ts`,
        from: 'return this.#uses.ids.every((id) => saved.has(id));',
        to: 'return saved.size >= 0;',
      },
    ],
  },
  {
    name: 'forgotten-attempt',
    what: 'a recorded begin of a call is not looked at, and its handler runs again',
    scene: 'desk',
    edits: [
      { file: `${CONVERSATION}completion/decide-call.ts`, from: 'if (known?.begun)', to: 'if (false)' },
    ],
  },
  {
    name: 'claim-ignored',
    what: 'a claim to the calls of a session is not waited for',
    scene: 'desk',
    edits: [
      {
        file: 'packages/core/src/record/calls/file/file-claim.ts',
        from: "        if (held === 'gone') continue;\n        if (held) return held;\n        const own",
        to: "        if (held === 'gone') continue;\n        const own",
      },
    ],
    beyond: 'one process at a time has the conversations of the scene',
  },
];
