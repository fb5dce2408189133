// The scenario that every engine plays: one turn, in which the model calls a tool with an effect, while workers are killed, stopped,
// or do not come back. A scene only breaks things and waits for the outcome. Whether promises were kept is for judge.mjs to say.

/**
 * A scene. `asks`: whether people are asked before the tool runs. `play` gets the stage (stage.mjs). `needsRecovery`: whether a pod that
 * never comes back has to be replaced by another one.
 */
export const SCENES = [
  { name: 'nothing is broken', play: playUnbroken },
  killedAt('killed before the first flush', 'first entry'),
  killedAt('killed in mid-tool', 'effect'),
  killedAt('killed between result and record', 'result'),
  killedAt('killed between record and the model', 'recorded'),
  { name: 'killed while held', asks: true, play: playKilledWhileHeld },
  { name: 'killed while parked, answered while dead', asks: true, play: playKilledWhileParked },
  { name: 'killed after the answer', asks: true, play: playKilledAfterTheAnswer },
  stoppedAt('stopped in mid-tool past the lease', 'effect'),
  stoppedAt('stopped before the tool past the lease', 'begin'),
  { name: 'a peer dies and is not restarted', needsRecovery: true, play: playPeerNotRestarted },
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
  return { name, play };
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
  return { name, needsRecovery: true, play };
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
