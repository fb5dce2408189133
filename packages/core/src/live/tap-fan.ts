// Several taps on one wire as one: whoever puts a second on hears the same. Made with the first tap.
import type { WireTap } from './watch/inspected-session.js';

/** Passes everything on to each of its taps. */
export class TapFan implements WireTap {
  readonly taps = new Set<WireTap>();

  begin(facts: Parameters<WireTap['begin']>[0]): void {
    for (const tap of this.taps) tap.begin(facts);
  }

  line(direction: 'in' | 'out', line: string): void {
    for (const tap of this.taps) tap.line(direction, line);
  }

  fault(code: string, message: string): void {
    for (const tap of this.taps) tap.fault(code, message);
  }

  mark(type: 'input-end' | 'terminate'): void {
    for (const tap of this.taps) tap.mark(type);
  }

  completed(message: object): void {
    for (const tap of this.taps) tap.completed(message);
  }

  end(end: Parameters<WireTap['end']>[0]): void {
    for (const tap of this.taps) tap.end(end);
  }

  warning(code: string, message: string): void {
    for (const tap of this.taps) tap.warning(code, message);
  }

  over(error: unknown): void {
    for (const tap of this.taps) tap.over(error);
  }
}
