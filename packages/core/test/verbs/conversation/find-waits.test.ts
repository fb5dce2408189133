// What counts as waiting, from everything that may be open between a CLI and this process.
import { describe, expect, it } from 'vitest';
import { OpenWaits, type CallActivity } from '../../../src/verbs/conversation/completion/open-waits.js';
import { findWaits, type OpenTurnWork } from '../../../src/verbs/conversation/find-waits.js';
import { OpenToolUses } from '../../../src/verbs/conversation/open-tool-uses.js';

const OWN = 'mcp__shop__pay';

interface Situation {
  /** The tools of open calls. The first is asked about, unless `asks` says otherwise. */
  tools?: string[];
  asks?: number;
  agentID?: string;
  isLeftOpen?: boolean;
  askedMsAgo?: number;
  isRecorded?: boolean;
  /** What open calls in this process do. */
  calls?: CallActivity[];
  /** Other requests of the CLI. */
  others?: string[];
  outbound?: number;
  withdrawn?: boolean;
  isSpeaking?: boolean;
}

function describeWork(situation: Situation): OpenTurnWork {
  const {
    tools = [OWN],
    asks = 1,
    agentID,
    isLeftOpen = true,
    askedMsAgo = 0,
    isRecorded = true,
  } = situation;
  const { calls = [], others = [], outbound = 0, withdrawn = false, isSpeaking = false } = situation;
  const uses = new OpenToolUses();
  const content = tools.map((name, index) => ({ type: 'tool_use', id: `t${index}`, name, input: {} }));
  uses.observe({ type: 'assistant', parent_tool_use_id: null, message: { content } });
  if (isSpeaking) uses.observe({ type: 'stream_event', event: { type: 'message_start' } });
  const waits = new OpenWaits();
  for (const [index, activity] of calls.entries()) waits.set(`key${index}`, activity);
  const asked = tools.slice(0, asks).map((toolName, index) => ({
    requestId: `q${index}`,
    toolUseID: `t${index}`,
    toolName,
    input: {},
    askedAt: Date.now() - askedMsAgo,
    agentID,
  }));
  const inbound = [
    ...asked.map(({ requestId }) => ({ requestId, subtype: 'can_use_tool', isLeftOpen })),
    ...calls.map((_, index) => ({ requestId: `c${index}`, subtype: 'mcp_message', isLeftOpen: false })),
    ...others.map((subtype, index) => ({ requestId: `o${index}`, subtype, isLeftOpen: true })),
  ];
  const pending = withdrawn ? [...asked, { ...asked[0], requestId: 'gone' }] : asked;
  return {
    live: { exchange: { outbound, inbound }, permissions: { pending } } as never,
    uses,
    recording: {
      waits,
      recorder: {
        questions: { isAsked: () => isRecorded },
        keyOf: (id: string) => (id.startsWith('c') ? `key${id.slice(1)}` : undefined),
      },
    } as never,
    isOwn: (toolName) => toolName === OWN,
  };
}

const WAITING: Record<string, [Situation, string[]]> = {
  'a question that is left open': [{}, ['person']],
  'a question whose callback takes long': [{ isLeftOpen: false, askedMsAgo: 600 }, ['person']],
  'a question about a tool of the CLI': [{ tools: ['Bash'] }, ['person']],
  'two questions': [{ tools: [OWN, 'Bash'], asks: 2 }, ['person']],
  'a question, and a call of this process that the CLI has not reached': [{ tools: [OWN, OWN] }, ['person']],
  'a handler that waits for a person': [{ asks: 0, calls: ['person'] }, ['person']],
  'a pending call': [{ asks: 0, calls: ['pending'] }, ['pending']],
  'a detached tool': [{ asks: 0, calls: ['detached'] }, ['detached']],
  'all of them': [{ calls: ['pending', 'detached', 'person'] }, ['person', 'pending', 'detached']],
};

const BUSY: Record<string, Situation> = {
  'nothing is open': { asks: 0 },
  'a handler works': { calls: ['working'] },
  'a tool of the CLI may run': { tools: [OWN, 'Bash'] },
  'a subagent may run': { tools: [OWN, 'Task'] },
  'a subagent asks': { agentID: 'helper' },
  'a dialog waits for its answer': { tools: ['AskUserQuestion'] },
  'a plan waits for its approval': { tools: ['ExitPlanMode'] },
  'a hook runs': { others: ['hook_callback'] },
  'an elicitation is open': { others: ['elicitation'] },
  'a dialog is open': { others: ['request_user_dialog'] },
  'a message of a server is being answered': { others: ['mcp_message'] },
  'a request of ours is open': { outbound: 1 },
  'the model speaks': { isSpeaking: true },
  'a withdrawn question is still in the hands of its callback': { withdrawn: true },
};

describe('findWaits', () => {
  it.each(Object.entries(WAITING))('%s: the turn waits', (_, [situation, reasons]) => {
    expect(findWaits(describeWork(situation))).toEqual(reasons);
  });

  it.each(Object.entries(BUSY))('%s: the CLI is needed', (_, situation) => {
    expect(findWaits(describeWork(situation))).toBeUndefined();
  });

  it.each([
    ['its callback may answer by itself', { isLeftOpen: false }],
    ['the question is not recorded', { isRecorded: false }],
  ])('is not sure while %s', (_, situation) => {
    expect(findWaits(describeWork(situation))).toBeGreaterThan(0);
  });
});
