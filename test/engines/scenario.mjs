// The scenario that every engine plays: one turn, in which the model calls a tool with an effect, while workers are killed, stopped,
// or do not come back. A scene only breaks things and waits for the outcome. Whether promises were kept is for judge.mjs to say.

/**
 * A scene. `play` gets the stage (stage.mjs). `asks`: whether people are asked before the tool runs. `needs`: what not every engine has.
 * `effects`: how often the tool must have run, if not once. `kind`: the kind of the outcome, if not `ok`. `hasResult`: whether the model
 * must get the result of the tool. `mayBeUnknown`: whether the tool may not have run, if the model is told so. `isUnknown`: the model must be
 * told that the outcome of the call is unknown.
 */
export const SCENES = [
  { name: 'nothing is broken', play: playUnbroken },
  killedAt('killed before the first flush', 'first entry'),
  { ...killedAt('killed with a call begun and nothing saved', 'begun'), effects: 0, isUnknown: true },
  killedAt('killed in mid-tool', 'effect'),
  killedAt('killed between result and record', 'result'),
  killedAt('killed between record and the model', 'recorded'),
  { name: 'killed while held', asks: true, play: playKilledWhileHeld },
  { name: 'killed while parked, answered while dead', asks: true, play: playKilledWhileParked },
  { name: 'killed after the answer', asks: true, play: playKilledAfterTheAnswer },
  stoppedAt('stopped in mid-tool past the lease', 'effect'),
  stoppedAt('stopped before the tool past the lease', 'begin'),
  { name: 'a peer dies and is not restarted', play: playPeerNotRestarted },
  { name: 'stopped by a person in mid-tool', needs: 'cancel', kind: 'interrupted', play: playCancelled },
  {
    name: 'stopped by a person while parked',
    needs: 'cancel',
    kind: 'interrupted',
    asks: true,
    effects: 0,
    play: playCancelledWhileParked,
  },
  { name: 'a result that comes later', needs: 'complete', hasResult: true, play: playPendingCall },
];

async function playUnbroken(stage) {
  await stage.start('a');
  await stage.send();
  await stage.outcome();
}

/** The pod kills itself at a point, and is started again under its name, as a supervisor does. */
function killedAt(name, point) {
  const play = async (stage) => {
    const first = await stage.start('a', { point, signal: 'SIGKILL' });
    await stage.send();
    await first.dies(point);
    await stage.restart('a');
    await stage.outcome();
  };
  // A result that was recorded is not lost.
  // The call may have been recorded as begun in this moment. Then it is not run, and the model is told that its outcome is unknown.
  return { name, hasResult: point === 'recorded', mayBeUnknown: point === 'first entry', play };
}

async function playKilledWhileHeld(stage) {
  // The CLI is kept while the question is open.
  const first = await stage.start('a', { point: 'asked', signal: 'SIGKILL', suspendAfterMs: 60_000 });
  await stage.send();
  await first.dies('asked');
  await stage.restart('a');
  await stage.answer(await stage.question());
  await stage.outcome();
}

async function playKilledWhileParked(stage) {
  const first = await stage.start('a');
  await stage.send();
  const question = await stage.question();
  await first.kill();
  await stage.answer(question);
  await stage.restart('a');
  await stage.outcome();
}

async function playKilledAfterTheAnswer(stage) {
  const first = await stage.start('a', { point: 'begin', signal: 'SIGKILL' });
  await stage.send();
  await stage.answer(await stage.question());
  await first.dies('begin');
  await stage.restart('a');
  await stage.outcome();
}

/** The pod stops itself at a point. Another one ends the turn, and the first wakes after that. */
function stoppedAt(name, point) {
  const play = async (stage) => {
    const stopped = await stage.start('a', { point, signal: 'SIGSTOP' });
    await stage.send();
    await stopped.reaches(point);
    await stage.start('b');
    await stage.recover('a');
    await stage.outcome();
    await stage.wake(stopped);
  };
  return { name, play };
}

async function playPeerNotRestarted(stage) {
  const peer = await stage.start('a', { point: 'effect', hangs: true });
  await stage.send();
  await peer.reaches('effect');
  await stage.start('b');
  await peer.kill();
  await stage.recover('a');
  await stage.outcome();
}

async function playCancelled(stage) {
  const pod = await stage.start('a', { point: 'effect', hangs: true });
  await stage.send();
  await pod.reaches('effect');
  await stage.sendNext();
  await stage.cancel();
  // The handler hears of it.
  await pod.says('aborted');
  await stage.outcome();
}

async function playCancelledWhileParked(stage) {
  await stage.start('a');
  await stage.send();
  await stage.question();
  await stage.sendNext();
  await stage.cancel();
  await stage.outcome();
}

async function playPendingCall(stage) {
  const first = await stage.start('a', { pends: true });
  await stage.send();
  const call = await stage.pendingCall();
  await first.kill();
  await stage.restart('a');
  await stage.complete(call, 'refunded 7');
  await stage.outcome();
}
