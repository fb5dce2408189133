// The faults of a script that happen between the fake CLI and its pipes, whatever is being said.
import type { FakeRun } from '../fake-run.js';
import type { FakeStep } from '../script/fake-step.js';

/** Performs a fault; steps of other kinds have no effect here. */
export function playFault(step: FakeStep, session: FakeRun): void {
  switch (step.do) {
    case 'raw':
      session.output.writeRaw(step.text);
      return;
    case 'repeat':
      session.repeat(step.what);
      return;
    case 'holdAnswers':
      session.held ??= [];
      return;
    case 'releaseAnswers': {
      const held = session.held ?? [];
      session.held = undefined;
      for (const give of step.order === 'reversed' ? held.toReversed() : held) give();
      return;
    }
    case 'stderr':
      session.pipes.stderr(step.text);
      return;
    case 'closeInput':
      session.pipes.closeInput();
      return;
    case 'closeOutput':
      session.pipes.closeOutput();
      return;
    case 'stopReading':
    case 'readOn':
      session.pipes.setReading(step.do === 'readOn');
      return;
    case 'ignore':
      if (step.what === 'SIGTERM') session.pipes.ignoreTerm();
      else session.ignoresEnd = true;
      return;
    default:
  }
}
