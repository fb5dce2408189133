// Everything a page knows of one session, fed by its events and by nothing else. Each part keeps its own book; none knows the
// others, the page or the server.
import type { NumberedEvent } from '../stream/inspector-event.js';
import { CostBook } from './cost/cost-book.js';
import { SummaryBook } from './summary-book.js';
import { Story } from './story/story.js';
import { TimeBook } from './time/time-book.js';
import { ToolBook } from './tools/tool-book.js';
import { WireBook } from './wire/wire-book.js';

/** One session, as far as its events were read. */
export class SessionModel {
  readonly id: string;
  readonly summary: SummaryBook;
  readonly story = new Story();
  readonly wire = new WireBook();
  readonly time = new TimeBook();
  readonly tools = new ToolBook();
  readonly cost = new CostBook();
  /** The number of the last event. */
  last = 0;

  constructor(id: string) {
    this.id = id;
    this.summary = new SummaryBook(id);
  }

  /** Takes the next event, and the line it was decoded from where that is at hand; one that was taken before is left out. */
  push(event: NumberedEvent, line?: string): void {
    if (event.n <= this.last) return;
    this.last = event.n;
    this.summary.push(event);
    this.story.push(event);
    this.wire.push(event, line);
    this.time.push(event);
    this.tools.push(event);
    this.cost.push(event);
  }
}
