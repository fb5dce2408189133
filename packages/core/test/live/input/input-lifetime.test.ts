import { describe, expect, it, vi } from 'vitest';
import type { SDKUserMessage } from '../../../src/wire/protocol/messages/messages.js';
import { ConsumerWatch } from '../../../src/live/input/consumer-watch.js';
import { InputLifetime } from '../../../src/live/input/input-lifetime.js';
import { createDeferred } from '../../../src/util/deferred.js';
import { badResult, init, lifecycle, result, state } from '../../../../../test/support/steps.js';
import { elapse, useVirtualClock } from '../../../../../test/support/virtual-clock.js';

useVirtualClock();

const user = (fields: object = {}): SDKUserMessage => ({
  type: 'user',
  message: { role: 'user', content: 'x' },
  parent_tool_use_id: null,
  ...fields,
});
const agentStarted = { type: 'system', subtype: 'task_started', task_id: 'a', task_type: 'local_agent' };
const agentDone = { type: 'system', subtype: 'task_notification', task_id: 'a', status: 'completed' };

function setUp(more: { expectsSuggestion?: boolean; answersQuestions?: boolean } = {}) {
  const open = { sources: 0, requests: 0, long: 0, callbacks: 0, holdMs: 0 };
  const endInput = vi.fn();
  const onIgnored = vi.fn();
  const asked = createDeferred<void>();
  const onLingering = vi.fn();
  const lifetime = new InputLifetime({
    openSources: () => open.sources,
    openRequests: () => open.requests,
    openLongRequests: () => open.long,
    callbacksAtWork: () => open.callbacks,
    answersQuestions: false,
    expectsSuggestion: false,
    consumerHoldMs: () => open.holdMs,
    ask: () => {
      open.requests += 1;
      return asked.promise;
    },
    onIgnored,
    endInput,
    onLingering,
    ...more,
  });
  const observe = (...messages: object[]): void => {
    for (const message of messages) lifetime.observe(message as Record<string, unknown>);
  };
  return { lifetime, open, endInput, onIgnored, asked, onLingering, observe };
}

describe('the input ends', () => {
  it('when a CLI that reports nothing has given its result', () => {
    const { lifetime, observe, endInput } = setUp();
    lifetime.wrote(user());
    lifetime.reconsider();
    expect(endInput).not.toHaveBeenCalled();
    observe(result());
    expect(endInput).toHaveBeenCalledTimes(1);
    expect(lifetime.inputEnded).toBe(true);
  });

  it('when a CLI that reports its state is idle, and not at the result before', () => {
    const { lifetime, observe, endInput } = setUp();
    lifetime.wrote(user());
    observe(state('running'), result());
    expect(endInput).not.toHaveBeenCalled();
    observe(state('idle'));
    expect(endInput).toHaveBeenCalledTimes(1);
  });

  it('at once when nothing was ever to be said', () => {
    const { lifetime, endInput } = setUp();
    lifetime.reconsider();
    expect(endInput).toHaveBeenCalledTimes(1);
  });

  it('once, whatever comes later', async () => {
    const { lifetime, observe, endInput } = setUp();
    lifetime.wrote(user());
    observe(result(), result(), state('running'), state('idle'));
    lifetime.reconsider();
    lifetime.settled();
    await elapse(1_000_000);
    expect(endInput).toHaveBeenCalledTimes(1);
  });

  it('at once when the answer to the question whether the CLI is idle comes together with a whole turn', async () => {
    const { lifetime, open, observe, asked, endInput } = setUp();
    lifetime.wrote(user());
    open.sources = 1;
    observe(state('running'), result(), state('idle'));
    lifetime.wrote(user());
    open.sources = 0;
    lifetime.reconsider();
    expect(open.requests).toBe(1);
    // One chunk: the channel has settled the request, and the asker is told after the last line.
    open.requests = 0;
    asked.resolve();
    lifetime.settled();
    observe(state('running'), init(), result(), state('idle'));
    expect(endInput).not.toHaveBeenCalled();
    await elapse(0);
    expect(endInput).toHaveBeenCalledTimes(1);
  });

  it('when a command is reported as completed without a result', () => {
    const { lifetime, observe, endInput } = setUp();
    lifetime.wrote(user({ uuid: 'u' }));
    observe(state('running'), lifecycle('u', 'completed'), state('idle'));
    expect(endInput).toHaveBeenCalledTimes(1);
  });
});

describe('the input is held open', () => {
  it('by an open source', async () => {
    const { lifetime, open, observe, endInput } = setUp();
    open.sources = 1;
    lifetime.wrote(user());
    observe(state('running'), result(), state('idle'));
    await elapse(10_000_000);
    expect(endInput).not.toHaveBeenCalled();
    open.sources = 0;
    lifetime.reconsider();
    expect(endInput).toHaveBeenCalledTimes(1);
  });

  it('by a callback at work, however long it takes', async () => {
    const { lifetime, open, observe, endInput } = setUp();
    lifetime.wrote(user());
    open.callbacks = 1;
    observe(state('running'), result(), state('idle'));
    await elapse(10_000_000);
    expect(endInput).not.toHaveBeenCalled();
    open.callbacks = 0;
    lifetime.settled();
    expect(endInput).toHaveBeenCalledTimes(1);
  });

  it('by a background agent until it is done', () => {
    const { lifetime, observe, endInput } = setUp();
    lifetime.wrote(user());
    observe(state('running'), agentStarted, result(), state('idle'));
    expect(endInput).not.toHaveBeenCalled();
    observe(agentDone);
    expect(endInput).toHaveBeenCalledTimes(1);
  });

  it('by a background shell where its end can lead to questions for this process, and not elsewhere', () => {
    for (const answersQuestions of [true, false]) {
      const { lifetime, observe, endInput } = setUp({ answersQuestions });
      lifetime.wrote(user());
      observe({ ...agentStarted, task_type: 'local_bash' }, state('running'), result(), state('idle'));
      expect(endInput).toHaveBeenCalledTimes(answersQuestions ? 0 : 1);
      // The turn that follows the shell has yet to begin.
      observe(agentDone, { type: 'system', subtype: 'background_tasks_changed', tasks: [] });
      expect(endInput).toHaveBeenCalledTimes(answersQuestions ? 0 : 1);
      observe(state('running'), init(), result());
      expect(endInput).toHaveBeenCalledTimes(answersQuestions ? 0 : 1);
      observe(state('idle'));
      expect(endInput).toHaveBeenCalledTimes(1);
    }
  });

  it('by a shell that was stopped only until the CLI says again that it is idle', () => {
    const { lifetime, observe, endInput } = setUp({ answersQuestions: true });
    lifetime.wrote(user());
    observe({ ...agentStarted, task_type: 'local_bash' }, state('running'), result(), state('idle'));
    observe(agentDone);
    expect(endInput).not.toHaveBeenCalled();
    observe(state('idle'));
    expect(endInput).toHaveBeenCalledTimes(1);
  });

  it('by the turn after a shell for five seconds, should it never begin', async () => {
    const { lifetime, observe, endInput } = setUp({ answersQuestions: true });
    lifetime.wrote(user());
    observe({ ...agentStarted, task_type: 'local_bash' }, state('running'), result(), state('idle'));
    observe(agentDone);
    await elapse(4990);
    expect(endInput).not.toHaveBeenCalled();
    await elapse(20);
    expect(endInput).toHaveBeenCalledTimes(1);
  });

  it('by a turn that has begun, where the CLI reports nothing else', () => {
    const { lifetime, observe, endInput } = setUp();
    lifetime.wrote(user());
    observe(init(), agentStarted, result(), agentDone, init());
    expect(endInput).toHaveBeenCalledTimes(1);
    const second = setUp();
    second.lifetime.wrote(user());
    second.observe(init(), agentStarted, result(), init(), agentDone);
    expect(second.endInput).not.toHaveBeenCalled();
    second.observe(result());
    expect(second.endInput).toHaveBeenCalledTimes(1);
  });

  it('not by a suggestion, which comes also when the input has ended', () => {
    const { lifetime, observe, endInput } = setUp({ expectsSuggestion: true });
    lifetime.wrote(user());
    observe(state('running'), result(), state('idle'));
    expect(endInput).toHaveBeenCalledTimes(1);
  });

  it('by a request of ours that has no answer', () => {
    const { lifetime, open, observe, endInput } = setUp();
    lifetime.wrote(user());
    open.requests = 1;
    observe(state('running'), result(), state('idle'));
    expect(endInput).not.toHaveBeenCalled();
    open.requests = 0;
    lifetime.settled();
    expect(endInput).toHaveBeenCalledTimes(1);
  });
});

describe('silence', () => {
  it('of five seconds ends the input of an idle CLI that seems to owe an answer', async () => {
    const { lifetime, observe, endInput } = setUp();
    lifetime.wrote(user({ uuid: 'a' }));
    observe(state('running'), result(), state('idle'));
    await elapse(4990);
    expect(endInput).not.toHaveBeenCalled();
    await elapse(20);
    expect(endInput).toHaveBeenCalledTimes(1);
  });

  it('of ten minutes ends it when the CLI never says that it is idle', async () => {
    const { lifetime, observe, endInput } = setUp();
    lifetime.wrote(user());
    observe(state('running'), result());
    await elapse(599_000);
    expect(endInput).not.toHaveBeenCalled();
    await elapse(1100);
    expect(endInput).toHaveBeenCalledTimes(1);
  });

  it('of ten minutes ends it when an agent never ends', async () => {
    const { lifetime, observe, endInput } = setUp();
    lifetime.wrote(user());
    observe(agentStarted, state('running'), result(), state('idle'));
    await elapse(599_000);
    expect(endInput).not.toHaveBeenCalled();
    await elapse(1100);
    expect(endInput).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['that is idle', [state('running'), result(), state('idle')]],
    ['that reports nothing', [init(), result()]],
    ['that never said it was idle again', [state('running'), init(), result()]],
  ])(
    'of seven seconds ends it when a CLI %s leaves a request of ours open, and of two more the CLI',
    async (_, seen) => {
      const { lifetime, open, observe, endInput, onLingering } = setUp();
      lifetime.wrote(user());
      open.requests = 1;
      observe(...seen);
      await elapse(6900);
      expect(endInput).not.toHaveBeenCalled();
      await elapse(200);
      expect(endInput).toHaveBeenCalledTimes(1);
      expect(onLingering).not.toHaveBeenCalled();
      await elapse(2000);
      expect(onLingering).toHaveBeenCalledTimes(1);
    },
  );

  it('is given its full time by a sign of life after the end of input', async () => {
    const { lifetime, open, observe, endInput, onLingering } = setUp();
    lifetime.wrote(user());
    open.requests = 1;
    observe(state('running'), result(), state('idle'));
    await elapse(8000);
    expect(endInput).toHaveBeenCalledTimes(1);
    observe({ type: 'keep_alive' });
    await elapse(9000);
    expect(onLingering).not.toHaveBeenCalled();
    await elapse(1100);
    expect(onLingering).toHaveBeenCalledTimes(1);
  });

  it('of a minute ends it when the request may wait for a person, a model, a tool or the network', async () => {
    const { lifetime, open, observe, endInput } = setUp();
    lifetime.wrote(user());
    open.requests = 1;
    open.long = 1;
    observe(state('running'), result(), state('idle'));
    await elapse(59_000);
    expect(endInput).not.toHaveBeenCalled();
    await elapse(1100);
    expect(endInput).toHaveBeenCalledTimes(1);
  });

  it('is counted from the first request that is open, not from later ones', async () => {
    const { lifetime, open, observe, endInput } = setUp();
    lifetime.wrote(user());
    open.holdMs = 4000;
    observe(state('running'), result(), state('idle'));
    await elapse(3000);
    for (const requests of [1, 2, 3]) {
      lifetime.asks();
      open.requests = requests;
      lifetime.reconsider();
      await elapse(2000);
    }
    open.holdMs = 0;
    await elapse(900);
    expect(endInput).not.toHaveBeenCalled();
    await elapse(200);
    expect(endInput).toHaveBeenCalledTimes(1);
  });

  it('does not end it in the middle of a turn, whatever is open', async () => {
    const { lifetime, open, observe, endInput } = setUp();
    lifetime.wrote(user());
    open.requests = 1;
    observe(state('running'), result(), init());
    await elapse(599_000);
    expect(endInput).not.toHaveBeenCalled();
  });

  it('of five seconds ends it when a CLI that reports nothing answered two messages at once', async () => {
    const { lifetime, observe, endInput } = setUp();
    lifetime.wrote(user());
    lifetime.wrote(user({ uuid: 'b' }));
    observe(init(), result());
    await elapse(4990);
    expect(endInput).not.toHaveBeenCalled();
    await elapse(20);
    expect(endInput).toHaveBeenCalledTimes(1);
  });

  it('is broken by every message', async () => {
    const { lifetime, observe, endInput } = setUp();
    lifetime.wrote(user({ uuid: 'a' }));
    observe(state('running'), result(), state('idle'));
    for (let round = 0; round < 10; round += 1) {
      await elapse(4000);
      if (round % 3 === 0) observe({ type: 'assistant' });
      else lifetime.heard();
    }
    expect(endInput).not.toHaveBeenCalled();
    await elapse(5010);
    expect(endInput).toHaveBeenCalledTimes(1);
  });

  it('does not begin before a result has come', async () => {
    const { lifetime, observe, endInput } = setUp();
    lifetime.wrote(user());
    observe(state('running'), { type: 'assistant' });
    await elapse(10_000_000);
    expect(endInput).not.toHaveBeenCalled();
  });

  it('is counted from the end of a callback, not from before it', async () => {
    const { lifetime, open, observe, endInput } = setUp();
    lifetime.wrote(user({ uuid: 'a' }));
    observe(state('running'), result(), state('idle'));
    open.callbacks = 1;
    await elapse(60_000);
    open.callbacks = 0;
    lifetime.settled();
    await elapse(4990);
    expect(endInput).not.toHaveBeenCalled();
    await elapse(20);
    expect(endInput).toHaveBeenCalledTimes(1);
  });

  it('that began before another message was written says nothing about that message', async () => {
    const { lifetime, observe, endInput } = setUp();
    lifetime.wrote(user({ uuid: 'a' }));
    observe(state('running'), result(), state('idle'));
    await elapse(4000);
    lifetime.wrote(user({ uuid: 'b' }));
    lifetime.reconsider();
    await elapse(4900);
    expect(endInput).not.toHaveBeenCalled();
    observe(result({ user_message_uuids: ['a', 'b'] }));
    expect(endInput).toHaveBeenCalledTimes(1);
  });

  it('is shortened when the CLI turns idle and lengthened when it turns busy', async () => {
    const { lifetime, observe, endInput } = setUp();
    lifetime.wrote(user({ uuid: 'a' }));
    observe(state('running'), result());
    await elapse(1000);
    observe(state('idle'));
    await elapse(3000);
    observe(state('running'));
    await elapse(500_000);
    expect(endInput).not.toHaveBeenCalled();
    observe(state('idle'));
    await elapse(5010);
    expect(endInput).toHaveBeenCalledTimes(1);
  });
});

describe('after the end of input', () => {
  it('a CLI that stays and is silent for ten seconds lingers', async () => {
    const { lifetime, observe, onLingering } = setUp();
    lifetime.wrote(user());
    observe(badResult());
    for (let round = 0; round < 5; round += 1) {
      await elapse(9000);
      observe({ type: 'system', subtype: 'anything' });
    }
    expect(onLingering).not.toHaveBeenCalled();
    await elapse(10_010);
    expect(onLingering).toHaveBeenCalledTimes(1);
  });

  it('one that may be at work on a suggestion has forty', async () => {
    const { lifetime, observe, onLingering } = setUp({ expectsSuggestion: true });
    lifetime.wrote(user());
    observe(result());
    await elapse(39_900);
    expect(onLingering).not.toHaveBeenCalled();
    await elapse(200);
    expect(onLingering).toHaveBeenCalledTimes(1);
  });

  it('one that has a shell left, which it waits for, has ten minutes', async () => {
    const { lifetime, observe, endInput, onLingering } = setUp();
    lifetime.wrote(user());
    observe({ ...agentStarted, task_type: 'local_bash' }, result());
    expect(endInput).toHaveBeenCalledTimes(1);
    await elapse(599_000);
    expect(onLingering).not.toHaveBeenCalled();
    await elapse(2000);
    expect(onLingering).toHaveBeenCalledTimes(1);
  });

  it('one that may still be at work has ten minutes', async () => {
    const { lifetime, observe, endInput, onLingering } = setUp();
    lifetime.wrote(user());
    observe(agentStarted, state('running'), result(), state('idle'));
    await elapse(600_010);
    expect(endInput).toHaveBeenCalledTimes(1);
    await elapse(599_000);
    expect(onLingering).not.toHaveBeenCalled();
    await elapse(2000);
    expect(onLingering).toHaveBeenCalledTimes(1);
  });

  it('one that was taken to be done has ten seconds, and misses no answer then', async () => {
    const { lifetime, observe, endInput, onLingering } = setUp();
    lifetime.wrote(user({ uuid: 'a' }));
    observe(state('running'), result(), state('idle'));
    expect(lifetime.unanswered).toBe(1);
    await elapse(5010);
    expect(endInput).toHaveBeenCalledTimes(1);
    expect(lifetime.unanswered).toBe(0);
    await elapse(9900);
    expect(onLingering).not.toHaveBeenCalled();
    await elapse(200);
    expect(onLingering).toHaveBeenCalledTimes(1);
  });
});

describe('once stopped', () => {
  it('it decides nothing more and leaves no timer', async () => {
    const { lifetime, observe, endInput, onLingering } = setUp();
    lifetime.wrote(user({ uuid: 'a' }));
    observe(state('running'), result(), state('idle'));
    lifetime.stop();
    expect(vi.getTimerCount()).toBe(0);
    observe(result({ user_message_uuids: ['a'] }));
    await elapse(10_000_000);
    expect(endInput).not.toHaveBeenCalled();
    expect(onLingering).not.toHaveBeenCalled();
  });

  it('it is also quiet about a CLI that lingers', async () => {
    const { lifetime, observe, onLingering } = setUp();
    lifetime.wrote(user());
    observe(result());
    lifetime.stop();
    expect(vi.getTimerCount()).toBe(0);
    await elapse(10_000_000);
    expect(onLingering).not.toHaveBeenCalled();
  });
});

describe('the consumer', () => {
  it('holds the input only while it may answer a result', async () => {
    const { lifetime, open, observe, endInput } = setUp();
    open.holdMs = 700;
    lifetime.wrote(user());
    observe(result());
    await elapse(690);
    expect(endInput).not.toHaveBeenCalled();
    open.holdMs = 0;
    await elapse(20);
    expect(endInput).toHaveBeenCalledTimes(1);
  });

  it('lets it go as soon as it moves on, and moves nothing that something else holds', async () => {
    const { lifetime, open, observe, endInput } = setUp();
    open.holdMs = 700;
    lifetime.wrote(user());
    lifetime.consumerMoved();
    observe(result());
    open.holdMs = 0;
    lifetime.consumerMoved();
    expect(endInput).toHaveBeenCalledTimes(1);
    const other = setUp();
    other.lifetime.consumerMoved();
    expect(other.endInput).not.toHaveBeenCalled();
  });

  it('has a second for a result it was given, five for one that waits for it, and none while it asks', async () => {
    const watch = new ConsumerWatch();
    watch.observe({ type: 'result' });
    expect(watch.holdMs).toBe(0);
    watch.takes({ type: 'assistant' });
    expect(watch.holdMs).toBe(5000);
    await elapse(400);
    expect(watch.holdMs).toBe(4600);
    // A reader of messages is there, so the time begins again.
    watch.takes({ type: 'assistant' });
    expect(watch.holdMs).toBe(5000);
    watch.takes({ type: 'result' });
    expect(watch.holdMs).toBe(1000);
    await elapse(2000);
    expect(watch.holdMs).toBe(0);
    watch.observe({ type: 'assistant' });
    watch.asks();
    expect(watch.holdMs).toBe(0);
    watch.takes({ type: 'assistant' });
    expect(watch.holdMs).toBe(0);
  });

  it('has a second for the output it waits for, unless it reads', () => {
    const waiting = new ConsumerWatch();
    waiting.awaitsOutput();
    expect(waiting.holdMs).toBe(0);
    waiting.observe({ type: 'result' });
    expect(waiting.holdMs).toBe(1000);
    const reading = new ConsumerWatch();
    reading.takes({ type: 'assistant' });
    reading.awaitsOutput();
    reading.observe({ type: 'result' });
    expect(reading.holdMs).toBe(5000);
    const gone = new ConsumerWatch();
    gone.observe({ type: 'assistant' });
    gone.takes({ type: 'assistant' });
    expect(gone.holdMs).toBe(0);
  });
});

describe('a message that an idle CLI says nothing about', () => {
  it('is followed by a request, and ignored once that is answered', async () => {
    const { lifetime, open, asked, observe, endInput, onIgnored } = setUp();
    lifetime.wrote(user({ uuid: 'u' }));
    lifetime.wrote(user());
    observe(state('idle'));
    expect(open.requests).toBe(1);
    observe(state('idle'));
    expect(open.requests).toBe(1);
    expect(onIgnored).not.toHaveBeenCalled();
    open.requests = 0;
    asked.resolve();
    await elapse(0);
    expect(onIgnored.mock.calls).toEqual([[['u']]]);
    expect(endInput).toHaveBeenCalledTimes(1);
  });

  it('is not called ignored where it has no uuid, and the input ends all the same', async () => {
    const { lifetime, open, asked, observe, endInput, onIgnored } = setUp();
    lifetime.wrote(user());
    observe(state('idle'));
    open.requests = 0;
    asked.resolve();
    await elapse(0);
    expect(onIgnored).not.toHaveBeenCalled();
    expect(endInput).toHaveBeenCalledTimes(1);
  });

  it('gets a second where more may be written, unless its turn begins', async () => {
    for (const begins of [false, true]) {
      const { lifetime, open, observe } = setUp();
      open.sources = 1;
      observe(state('idle'));
      lifetime.wrote(user({ uuid: 'u' }));
      await elapse(990);
      expect(open.requests).toBe(0);
      if (begins) observe(state('running'));
      await elapse(begins ? 200_000 : 20);
      expect(open.requests).toBe(begins ? 0 : 1);
    }
  });

  it('gets a minute of silence from a CLI that reports no state', async () => {
    const { lifetime, open, asked, observe, onIgnored } = setUp();
    open.sources = 1;
    lifetime.wrote(user({ uuid: 'a' }));
    lifetime.wrote(user({ uuid: 'b' }));
    observe(result());
    await elapse(30_000);
    lifetime.settled();
    await elapse(59_000);
    expect(open.requests).toBe(0);
    await elapse(1100);
    expect(open.requests).toBe(1);
    asked.resolve();
    await elapse(0);
    expect(onIgnored.mock.calls).toEqual([[['b']]]);
  });

  it('is ignored when the request gets no answer in five seconds of silence, and no timer stays', async () => {
    const { lifetime, open, observe, onIgnored } = setUp();
    open.sources = 1;
    observe(state('idle'));
    lifetime.wrote(user({ uuid: 'u' }));
    await elapse(1010);
    expect(open.requests).toBe(1);
    await elapse(3000);
    lifetime.settled();
    await elapse(4900);
    expect(onIgnored).not.toHaveBeenCalled();
    await elapse(200);
    expect(onIgnored.mock.calls).toEqual([[['u']]]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is ignored at the next idle when the answer came in a turn', async () => {
    const { lifetime, asked, observe, onIgnored } = setUp();
    lifetime.wrote(user({ uuid: 'u' }));
    observe(state('idle'), state('running'));
    asked.resolve();
    await elapse(0);
    expect(onIgnored).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
    observe(state('idle'));
    expect(onIgnored.mock.calls).toEqual([[['u']]]);
  });

  it('is reported when the CLI itself says that it is done with it and never began', () => {
    const { lifetime, observe, onIgnored } = setUp();
    lifetime.wrote(user({ uuid: 'u' }));
    observe(state('running'), lifecycle('u', 'completed'));
    expect(onIgnored.mock.calls).toEqual([[['u']]]);
    observe(lifecycle('u', 'completed'));
    expect(onIgnored).toHaveBeenCalledTimes(1);
  });
});

describe('what counts as work', () => {
  const shellStarted = { ...agentStarted, task_type: 'local_bash' };

  it.each<[string, object[], boolean]>([
    ['nothing', [], false],
    ['a turn', [init()], true],
    ['an agent', [agentStarted], true],
    ['a shell', [shellStarted], true],
    ['an agent and a shell', [agentStarted, { ...shellStarted, task_id: 's' }], true],
    ['a turn that is due after a shell', [shellStarted, state('idle'), agentDone], true],
    ['a state alone', [state('idle'), { type: 'assistant' }], false],
  ])('%s', (_what, messages, isAtWork) => {
    const { lifetime, open, observe } = setUp({ answersQuestions: true });
    open.sources = 1;
    expect(lifetime.hasWritten).toBe(false);
    observe(...messages);
    expect(lifetime.isAtWork).toBe(isAtWork);
  });

  it('a message that waits', () => {
    const { lifetime, open } = setUp();
    open.sources = 1;
    lifetime.wrote(user());
    expect(lifetime.isAtWork).toBe(true);
    expect(lifetime.hasWritten).toBe(true);
  });
});

it('counts silence anew when it was broken by an answer of ours', async () => {
  const { lifetime, observe, endInput } = setUp();
  lifetime.wrote(user());
  lifetime.wrote(user({ uuid: 'b' }));
  observe(init(), result());
  await elapse(3000);
  lifetime.settled();
  await elapse(4900);
  expect(endInput).not.toHaveBeenCalled();
  await elapse(200);
  expect(endInput).toHaveBeenCalledTimes(1);
});

describe('in a host that was blocked, timers run before what has arrived is read', () => {
  const readAfterBlock = async (lifetime: InputLifetime, ...messages: object[]): Promise<void> => {
    vi.advanceTimersByTime(6000);
    for (const message of messages) lifetime.observe(message as Record<string, unknown>);
    await new Promise((resolve) => setImmediate(resolve));
  };

  it('and a message whose turn has begun meanwhile does not count as read and done with', async () => {
    const { lifetime, open, observe, endInput } = setUp();
    lifetime.wrote(user());
    open.sources = 1;
    observe(state('running'), result(), state('idle'));
    lifetime.wrote(user());
    open.sources = 0;
    lifetime.reconsider();
    expect(open.requests).toBe(1);
    await readAfterBlock(lifetime, state('running'), init());
    expect(endInput).not.toHaveBeenCalled();
    expect(lifetime.unanswered).toBe(1);
  });

  it('and a turn that has begun meanwhile is no silence between turns', async () => {
    const { lifetime, observe, endInput } = setUp();
    lifetime.wrote(user());
    lifetime.wrote(user());
    observe(init(), result());
    await readAfterBlock(lifetime, init());
    expect(endInput).not.toHaveBeenCalled();
    expect(lifetime.unanswered).toBe(1);
  });
});
