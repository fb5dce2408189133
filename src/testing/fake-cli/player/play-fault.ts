// The faults of a script that happen between the fake CLI and its pipes, whatever is being said.
import type { RunParts } from '../run-parts.js';
import type { FakeStep } from '../script/fake-step.js';

/** Performs a fault; steps of other kinds have no effect here. */
export function playFault(step: FakeStep, { state, pipes, lines, host }: RunParts): void {
  switch (step.do) {
    case 'raw':
      lines.writeRaw(step.text);
      return;
    case 'repeat':
      host.repeat(step.what);
      return;
    case 'holdAnswers':
      host.holdAnswers();
      return;
    case 'releaseAnswers':
      host.releaseAnswers(step.order);
      return;
    case 'stderr':
      pipes.stderr(step.text);
      return;
    case 'closeInput':
      pipes.closeInput();
      return;
    case 'closeOutput':
      pipes.closeOutput();
      return;
    case 'stopReading':
    case 'readOn':
      pipes.setReading(step.do === 'readOn');
      return;
    case 'ignore':
      if (step.what === 'SIGTERM') pipes.ignoreTerm();
      else state.ignoresEnd = true;
      return;
    default:
  }
}
