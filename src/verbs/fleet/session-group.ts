// Many sessions and a limit: how many turns run, how many CLIs are alive. Who may run next is decided fairly
// between keys; sessions that have nothing to do are put to sleep. What a session does is its own business.
import { InvalidOptionsError, SessionClosedError } from '../../errors.js';
import { FairQueue } from '../../util/fair-queue.js';
import { LONGEST_TIMER_MS } from '../../util/timers.js';
import type { Conversation } from '../conversation/conversation.js';
import type { Launch } from '../../live/launch.js';
import type { QueryOptions } from '../../live/tooling/name-tools.js';
import { OF_ONE_CONVERSATION } from './warm-options.js';
import { createConversation, presentConversation, type Session } from '../conversation/open-session.js';
import type { RestartPolicy } from '../conversation/restart-policy.js';
import type { OpenTurn } from '../conversation/turns/turn.js';
import type { TurnGate } from '../conversation/conversation-parts.js';

/** The limits of a group, and what its sessions have in common. */
export interface SessionGroupInput {
  /** Turns that run at the same time, from 1. */
  maxRunning: number;
  /** CLIs that are alive at the same time, at least `maxRunning`; when there is no room, the session that has been idle longest is suspended. One that has background tasks is waited for up to `maxBackgroundMs`; one that keeps no transcript keeps its place until it is closed. Default: no limit. */
  maxOpen?: number;
  /** Milliseconds of silence after which background tasks no longer keep a place that another session needs: theirs is suspended, and they end with its CLI. Default 600 000; 0 for never. */
  maxBackgroundMs?: number;
  /** Milliseconds without work after which a session is suspended: its CLI ends, and the next message resumes the conversation. Default 300 000; 0 for never. */
  idleTimeoutMs?: number;
  /** What the sessions are started with, where they do not say otherwise. */
  options?: QueryOptions;
  /** For all sessions; see `openSession`. */
  restart?: boolean | RestartPolicy;
}

/** One session of a group. */
export interface GroupSessionInput {
  /** On whose behalf; keys are served in turn, however many messages one has waiting. Default: one key for all that give none. */
  key?: string;
  /** Beside, or in place of, those of the group. */
  options?: QueryOptions;
  restart?: boolean | RestartPolicy;
}

/** What there is at the moment. */
export interface SessionGroupStats {
  /** Sessions that are not closed. */
  sessions: number;
  /** CLIs that are alive. */
  open: number;
  /** Turns under way. */
  running: number;
  /** Messages that wait. */
  waiting: number;
  /** The same by key, for those that have any. */
  waitingByKey: Record<string, number>;
}

/** Sessions under common limits. Whoever makes a group closes it. */
export interface SessionGroup extends AsyncDisposable {
  /** A session whose CLI is started with its first message. Its messages are answered one by one, in order. */
  open(input?: GroupSessionInput): Session;
  stats(): SessionGroupStats;
  /** Closes every session, whatever it is doing; resolves when all CLIs are gone. */
  closeAll(): Promise<void>;
}

const DEFAULT_IDLE_TIMEOUT_MS = 300_000;
const DEFAULT_MAX_BACKGROUND_MS = 600_000;
/** Makes a group; starts nothing. Wrong limits throw here. */
export function createSessionGroup(input: SessionGroupInput): SessionGroup {
  return new Group(input);
}

/** The same with a launcher of one's own. */
export function createGroup(input: SessionGroupInput & { launch?: Launch }): SessionGroup {
  return new Group(input);
}

interface Member {
  key: string;
  conversation: Conversation;
  /** Whether one of its turns may run, or runs. */
  isRunning: boolean;
  /** Since when it has nothing to do, as a count of turns; the smallest has waited longest. */
  idleSince: number;
}

/** A session that waits for room for its CLI. */
interface Starter {
  member: Member;
  start: () => void;
}

interface Entry {
  member: Member;
  turn: OpenTurn;
  admit: () => void;
}

class Group implements SessionGroup {
  readonly #input: SessionGroupInput & { launch?: Launch };
  readonly #maxOpen: number;
  readonly #maxBackgroundMs: number;
  readonly #members = new Set<Member>();
  /** At most one entry for each session: the turn that is first in its own queue. */
  readonly #queue = new FairQueue<Entry>();
  readonly #entries = new Map<OpenTurn, Entry>();
  /** Starts that wait for room, in order. */
  #starters: Starter[] = [];
  /** Looks again for room when background tasks may have been silent for long enough. */
  #nextLook: NodeJS.Timeout | undefined;
  #running = 0;
  #open = 0;
  #clock = 0;
  #isMakingRoom = false;
  #closed: Promise<void> | undefined;

  constructor(input: SessionGroupInput & { launch?: Launch }) {
    const { maxRunning, maxOpen = Number.POSITIVE_INFINITY, idleTimeoutMs = 0 } = input;
    const { maxBackgroundMs = DEFAULT_MAX_BACKGROUND_MS } = input;
    if (!Number.isInteger(maxRunning) || maxRunning < 1)
      refuse('maxRunning', `a whole number from 1, not ${String(maxRunning)}`);
    // A turn that may run must find room for its CLI, or it would wait for those that wait for it.
    if (!(maxOpen >= maxRunning))
      refuse('maxOpen', `at least maxRunning (${maxRunning}), not ${String(maxOpen)}`);
    if (!(maxBackgroundMs >= 0)) refuse('maxBackgroundMs', `a number from 0, not ${String(maxBackgroundMs)}`);
    if (!(idleTimeoutMs >= 0)) refuse('idleTimeoutMs', `a number from 0, not ${String(idleTimeoutMs)}`);
    const shared = OF_ONE_CONVERSATION.find((name) => input.options?.[name] !== undefined);
    if (shared !== undefined) refuse(`options.${shared}`, 'given to open(): it belongs to one session');
    this.#input = input;
    this.#maxOpen = maxOpen;
    this.#maxBackgroundMs = maxBackgroundMs === 0 ? Number.POSITIVE_INFINITY : maxBackgroundMs;
  }

  open({ key = '', options, restart }: GroupSessionInput = {}): Session {
    if (this.#closed) throw new SessionClosedError('The group is closed');
    const { idleTimeoutMs = DEFAULT_IDLE_TIMEOUT_MS, launch } = this.#input;
    const policy = restart ?? this.#input.restart;
    const gate: TurnGate = {
      enter: (turn) => this.#enter(member, turn),
      leave: (turn) => this.#leave(member, turn),
      beforeStart: () => this.#awaitRoom(member),
      onGone: () => this.#noteGone(),
      onChange: () => this.#makeRoom(),
    };
    const all = { ...this.#input.options, ...options };
    // What keeps no transcript cannot be woken again.
    const suspendAfterMs = all.persistSession === false ? 0 : idleTimeoutMs;
    const conversation = createConversation({
      lazy: true,
      gate,
      options: all,
      ...(policy === undefined ? {} : { restart: policy }),
      ...(suspendAfterMs > 0 ? { suspendAfterMs } : {}),
      ...(launch ? { launch } : {}),
    });
    const member: Member = { key, conversation, isRunning: false, idleSince: (this.#clock += 1) };
    this.#members.add(member);
    void conversation.cli.over.then(() => this.#members.delete(member));
    return presentConversation(conversation);
  }

  stats(): SessionGroupStats {
    const waitingByKey: Record<string, number> = {};
    let waiting = 0;
    for (const { key, conversation, isRunning } of this.#members) {
      // One that may run waits for its CLI only.
      const count = conversation.turns.waiting - (isRunning && conversation.turns.written.size === 0 ? 1 : 0);
      if (count > 0) waitingByKey[key] = (waitingByKey[key] ?? 0) + count;
      waiting += count;
    }
    return { sessions: this.#members.size, open: this.#open, running: this.#running, waiting, waitingByKey };
  }

  closeAll(): Promise<void> {
    this.#closed ??= this.#end();
    return this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.closeAll();
  }

  async #end(): Promise<void> {
    clearTimeout(this.#nextLook);
    await Promise.all([...this.#members].map(({ conversation }) => conversation.close()));
  }

  #enter(member: Member, turn: OpenTurn): Promise<void> {
    return new Promise((admit) => {
      const entry = { member, turn, admit };
      this.#entries.set(turn, entry);
      this.#queue.push(member.key, entry);
      this.#admitNext();
    });
  }

  #leave(member: Member, turn: OpenTurn): void {
    const entry = this.#entries.get(turn);
    if (entry) {
      // It never got to run; whoever waits for it is told by the turn itself.
      this.#entries.delete(turn);
      this.#queue.remove(member.key, entry);
      entry.admit();
      return;
    }
    member.isRunning = false;
    member.idleSince = this.#clock += 1;
    this.#running -= 1;
    this.#makeRoom();
    // A moment later: the session may have more to say, and its key is then behind those that wait now.
    queueMicrotask(() => this.#admitNext());
  }

  #admitNext(): void {
    while (this.#running < this.#input.maxRunning) {
      const entry = this.#queue.take();
      if (!entry) return;
      this.#entries.delete(entry.turn);
      this.#running += 1;
      entry.member.isRunning = true;
      entry.admit();
    }
  }

  /** Resolves when one more CLI may live. */
  #awaitRoom(member: Member): Promise<void> {
    return new Promise((start) => {
      this.#starters.push({ member, start });
      this.#makeRoom();
    });
  }

  #noteGone(): void {
    this.#open -= 1;
    this.#makeRoom();
  }

  #makeRoom(): void {
    this.#dismissClosed();
    while (this.#starters.length > 0 && this.#open < this.#maxOpen) this.#admit(this.#starters.shift());
    if (this.#starters.length > 0 && !this.#isMakingRoom) void this.#suspendOne();
  }

  /** Nobody is put to sleep for a session that no longer wants to start. */
  #dismissClosed(): void {
    const closed = this.#starters.filter(({ member }) => member.conversation.cli.state === 'closed');
    if (closed.length === 0) return;
    this.#starters = this.#starters.filter((starter) => !closed.includes(starter));
    for (const starter of closed) this.#admit(starter);
  }

  /** Whoever is admitted counts until it says that its CLI is gone, or was not started after all. */
  #admit(starter: Starter | undefined): void {
    this.#open += 1;
    starter?.start();
  }

  /** Puts the session to sleep that has had nothing to do for longest; its end makes the room. */
  async #suspendOne(): Promise<void> {
    const member = this.#findIdle();
    if (!member) {
      this.#lookAgain();
      return;
    }
    this.#isMakingRoom = true;
    try {
      // What it has waiting is let in, and wakes it, when its turn comes.
      await member.conversation.forceSuspend();
    } finally {
      this.#isMakingRoom = false;
    }
    this.#makeRoom();
  }

  #findIdle(): Member | undefined {
    const between = this.#listBetweenTurns();
    const [idle] = between
      .filter(({ conversation }) => conversation.isQuiet)
      .toSorted((a, b) => a.idleSince - b.idleSince);
    const isOverdue = ({ conversation }: Member): boolean => conversation.silentMs >= this.#maxBackgroundMs;
    return idle ?? between.find(isOverdue);
  }

  #listBetweenTurns(): Member[] {
    return [...this.#members].filter(
      ({ isRunning, conversation }) => !isRunning && conversation.cli.state === 'ready',
    );
  }

  /** Where only background tasks are in the way, their silence makes room in the end. */
  #lookAgain(): void {
    if (this.#nextLook !== undefined || this.#closed) return;
    const silences = this.#listBetweenTurns().map(({ conversation }) => conversation.silentMs);
    if (silences.length === 0 || this.#maxBackgroundMs === Number.POSITIVE_INFINITY) return;
    const waitMs = Math.max(1, this.#maxBackgroundMs - Math.max(...silences));
    this.#nextLook = setTimeout(
      () => {
        this.#nextLook = undefined;
        this.#makeRoom();
      },
      Math.min(waitMs, LONGEST_TIMER_MS),
    );
    this.#nextLook.unref();
  }
}

function refuse(option: string, shape: string): never {
  throw new InvalidOptionsError([option], `The option "${option}" of a group must be ${shape}`);
}
