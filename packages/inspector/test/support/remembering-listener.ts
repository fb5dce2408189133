// Hears a source, and remembers what it said.
import type { ClusterFigures } from '../../src/model/cluster-figures.js';
import type { SessionSummary } from '../../src/model/session-summary.js';
import type { SourceListener } from '../../src/sources/session-source.js';
import { numberOf } from '../../src/stream/event-codec.js';
import type { Question } from '../../src/stream/question.js';

/** What a source said so far. */
export class RememberingListener implements SourceListener {
  readonly numbers: number[] = [];
  readonly summaries: SessionSummary[] = [];
  readonly questions: Question[] = [];
  readonly settledIds: string[] = [];
  readonly clusters: ClusterFigures[] = [];
  changes = 0;
  readonly session: string | undefined;
  #heard = (): void => {};

  constructor(session?: string) {
    this.session = session;
  }

  events(_session: string, first: number, lines: readonly string[]): void {
    const numbers = lines.map(numberOf);
    if (numbers[0] !== first) throw new Error(`Told ${first}, and the first line is ${numbers[0]}`);
    this.numbers.push(...numbers);
    this.#heard();
  }

  summary(summary: SessionSummary): void {
    this.summaries.push(summary);
    this.#heard();
  }

  asked(question: Question): void {
    this.questions.push(question);
    this.#heard();
  }

  settled(_session: string, id: string): void {
    this.settledIds.push(id);
    this.#heard();
  }

  cluster(figures: ClusterFigures): void {
    this.clusters.push(figures);
    this.#heard();
  }

  changed(): void {
    this.changes += 1;
    this.#heard();
  }

  /** Resolves as soon as it is so, looked at whenever something was said. */
  async waitFor(isSo: () => boolean): Promise<void> {
    while (!isSo()) await new Promise<void>((resolve) => (this.#heard = resolve));
  }
}
