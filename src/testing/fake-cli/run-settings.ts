// What all sessions of a fake CLI have in common, and the form in which they remember their lines.
import type { WireObject } from '../../wire/protocol/codec.js';
import type { ControlAnswers } from './host/answer-control.js';

/** A line of the wire. */
export interface FakeLogEntry {
  /** Which session it belongs to, from 0. */
  readonly session: number;
  readonly from: 'host' | 'cli';
  readonly line: string;
  /** The line as an object; undefined when it is none. */
  readonly frame: WireObject | undefined;
}

/** How all sessions of a fake behave. */
export interface RunSettings {
  readonly version: string;
  readonly isStrict: boolean;
  readonly mayEndEarly: boolean;
  readonly foldsPrompts: boolean;
  readonly answers: ControlAnswers;
  readonly onLogged: (entry: FakeLogEntry) => void;
}
