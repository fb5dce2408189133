// The faults of a script that happen between the fake CLI and its pipes, whatever is being said.
import type { FakeSession } from './fake-session.js';
import type { FakeStep } from './fake-step.js';

/** Performs a fault; steps of other kinds have no effect here. */
export function breakThings(step: FakeStep, session: FakeSession): void {
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
      session.stage.stderr(step.text);
      return;
    case 'closeInput':
      session.stage.closeInput();
      return;
    case 'closeOutput':
      session.stage.closeOutput();
      return;
    case 'stopReading':
    case 'readOn':
      session.stage.setReading(step.do === 'readOn');
      return;
    case 'ignore':
      if (step.what === 'SIGTERM') session.stage.ignoreTerm();
      else session.ignoresEnd = true;
      return;
    default:
  }
}
