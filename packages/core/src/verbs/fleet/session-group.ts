// Owns groups of conversations under common limits. Opens the conversations and connects them to the limits. `turn-limit`
// decides which turn runs next, and `open-limit` which CLI makes room.
import { InvalidOptionsError, SessionClosedError } from '../../errors.js';
import { refuseMisplacedOptions } from '../../options/check/misplaced-options.js';
import { HiddenValue } from '../../util/hidden-value.js';
import { withoutUndefined } from '../../util/without-undefined.js';
import type { AnySchema } from '../../answer/schema/infer.js';
import type { OutputOf } from '../../live/output/structured-output.js';
import type { Launch } from '../../live/launch.js';
import type {
  LeftToAsk,
  McpServers,
  WithContext,
  WithSharedContext,
} from '../../live/tooling/context-option.js';
import type { QueryOptions } from '../../live/tooling/name-tools.js';
import { INSPECT_TARGET, type SessionsTarget } from '../../live/watch/session-registry.js';
import type { Conversation } from '../conversation/conversation.js';
import type { TurnGate } from '../conversation/conversation-parts.js';
import { createConversation, presentConversation, type Session } from '../conversation/open-session.js';
import type { RestartPolicy } from '../conversation/restart-policy.js';
import { OpenLimit } from './open-limit.js';
import { TurnLimit, type Seat } from './turn-limit.js';
import { OF_ONE_CONVERSATION } from './warm-options.js';

/** The limits of a group, and what its sessions have in common. */
export interface SessionGroupInput<Schema extends AnySchema = AnySchema> {
  /** How many turns may run at the same time, at least 1. A turn that is waiting for a person does not count. */
  maxRunning: number;
  /**
   * How many CLIs may be alive at the same time, at least `maxRunning`. When there is no room for another, the session that has
   * been idle longest is suspended. A session with background tasks is suspended only once they have been silent for
   * `maxBackgroundMs`. A session that keeps no transcript is never suspended. Default: no limit.
   */
  maxOpen?: number | undefined;
  /**
   * Milliseconds of silence after which background tasks no longer keep their CLI alive when another session needs room. Their
   * session is then suspended, and they end with its CLI. Default 600 000; 0 for never.
   */
  maxBackgroundMs?: number | undefined;
  /**
   * Milliseconds without work after which a session is suspended. Its CLI ends then, and the next message resumes the
   * conversation. Default 300 000; 0 for never.
   */
  idleTimeoutMs?: number | undefined;
  /**
   * Milliseconds after which a turn that waits only for people, pending calls or detached tools lets its CLI go. The turn
   * holds neither a place nor a CLI then, and goes on when it has what it waits for. Default: never.
   */
  suspendAfterMs?: number | undefined;
  /** Works as for `openSession`. */
  suspendWithServers?: boolean | undefined;
  /** Options of all sessions. Options given to `open` override them. */
  options?: QueryOptions<Schema> | undefined;
  /** Whether and how all sessions restart their CLIs; see `openSession`. */
  restart?: boolean | RestartPolicy | undefined;
}

/** For whom a session of a group works, and how it differs from the others. */
export interface GroupSessionInput<Schema extends AnySchema = AnySchema> {
  /**
   * The customer or user that the session works for. Keys are served in turn, however many messages one has waiting. Default:
   * one key for all sessions that give none.
   */
  key?: string | undefined;
  /** Options of this session, which override those of the group. */
  options?: QueryOptions<Schema> | undefined;
  restart?: boolean | RestartPolicy | undefined;
  /** Works as for `openSession`. The continued turn takes a place in the group like any other turn. */
  interrupted?: 'continue' | undefined;
}

/**
 * The argument of a group's `open`. It is required, with a `toolContext`, if the group's tools declare one and the
 * group has none.
 */
export type OpenArguments<Schema extends AnySchema, Servers extends McpServers, Asked> = unknown extends Asked
  ? [input?: GroupSessionInput<Schema> & WithContext<Servers>]
  : Asked extends { toolContext: unknown }
    ? [input: GroupSessionInput<Schema> & { options: Asked }]
    : [input?: GroupSessionInput<Schema> & { options?: Asked | undefined }];

/** What a group is doing at the moment. */
export interface SessionGroupStats {
  /** Sessions that are not closed. */
  sessions: number;
  /** CLIs that are alive. */
  open: number;
  /** Turns under way. */
  running: number;
  /** Turns that are waiting for a person. Other turns use their places in the meantime. */
  lent: number;
  /** Messages that are waiting. */
  waiting: number;
  /** Messages that are waiting, by key. Keys without such messages are left out. */
  waitingByKey: Record<string, number>;
}

/** Sessions under common limits. The caller that creates a group closes it. */
export interface SessionGroup<
  GroupSchema extends AnySchema = AnySchema,
  Asked = unknown,
> extends AsyncDisposable {
  /** Opens a session whose CLI starts with its first message. Its messages are answered one by one, in order. */
  open<const Schema extends AnySchema = GroupSchema, Servers extends McpServers = McpServers>(
    ...input: OpenArguments<Schema, Servers, Asked>
  ): Session<OutputOf<Schema>>;
  /** How many sessions, CLIs and turns there are at the moment. */
  stats(): SessionGroupStats;
  /** Closes every session, whatever it is doing. Resolves when all CLIs are gone. */
  closeAll(): Promise<void>;
}

const DEFAULT_IDLE_TIMEOUT_MS = 300_000;
const DEFAULT_MAX_BACKGROUND_MS = 600_000;

/**
 * Creates a group of sessions with common limits on how many CLIs are alive and how many turns run at once. Starts nothing.
 * Throws for wrong limits.
 */
export function createSessionGroup<
  const Schema extends AnySchema = undefined,
  Servers extends McpServers = McpServers,
  Given = undefined,
>(
  input: SessionGroupInput<Schema> & WithSharedContext<Servers, Given>,
): SessionGroup<Schema, LeftToAsk<Servers, Given>> {
  return new Group(input);
}

/** `createSessionGroup` with a launcher of the caller, for tests. */
export function createGroup(input: SessionGroupInput & { launch?: Launch }): SessionGroup {
  return new Group(input);
}

/** The state behind a group. */
interface GroupState {
  input: SessionGroupInput & { launch?: Launch };
  members: Map<Seat, Conversation>;
  room: OpenLimit;
  turns: TurnLimit;
  closed?: Promise<void>;
}

const groups = new HiddenValue<GroupState>('group');

/** All methods are on this one prototype and work with any receiver that leads to the group. */
class Group implements SessionGroup {
  constructor(input: GroupState['input']) {
    refuseMisplacedOptions('createSessionGroup', input, ['idleTimeoutMs']);
    const { maxRunning, maxOpen = Number.POSITIVE_INFINITY, idleTimeoutMs = 0 } = input;
    const { maxBackgroundMs = DEFAULT_MAX_BACKGROUND_MS, suspendAfterMs, suspendWithServers } = input;
    if (!Number.isInteger(maxRunning) || maxRunning < 1)
      refuse('maxRunning', `a whole number of at least 1, not ${String(maxRunning)}`);
    // A turn that may run must find room for its CLI. Otherwise turns could wait for each other forever.
    if (!(maxOpen >= maxRunning))
      refuse('maxOpen', `at least maxRunning (${maxRunning}), not ${String(maxOpen)}`);
    if (!(maxBackgroundMs >= 0))
      refuse('maxBackgroundMs', `a number of at least 0, not ${String(maxBackgroundMs)}`);
    if (!(idleTimeoutMs >= 0))
      refuse('idleTimeoutMs', `a number of at least 0, not ${String(idleTimeoutMs)}`);
    if (suspendAfterMs !== undefined && !(suspendAfterMs > 0))
      refuse('suspendAfterMs', `a number of milliseconds above 0, not ${String(suspendAfterMs)}`);
    if (suspendWithServers !== undefined && typeof suspendWithServers !== 'boolean')
      refuse('suspendWithServers', `true or false, not ${String(suspendWithServers)}`);
    const shared = OF_ONE_CONVERSATION.find((name) => input.options?.[name] !== undefined);
    if (shared !== undefined) refuse(`options.${shared}`, 'passed to open(): it belongs to one session');
    const members = new Map<Seat, Conversation>();
    const room = new OpenLimit({
      members,
      maxOpen,
      maxBackgroundMs: maxBackgroundMs || Number.POSITIVE_INFINITY,
    });
    const turns = new TurnLimit(maxRunning, () => room.makeRoom());
    groups.set(this, { input, members, room, turns });
  }

  open<const Schema extends AnySchema>(
    ...[given = {}]: [GroupSessionInput<Schema>?]
  ): Session<OutputOf<Schema>> {
    refuseMisplacedOptions('open', given);
    const { key = '', options, restart, interrupted } = given;
    const { input, members, room, turns, closed } = groups.of(this);
    if (closed) throw new SessionClosedError('The group is closed');
    const { idleTimeoutMs = DEFAULT_IDLE_TIMEOUT_MS, suspendAfterMs, suspendWithServers, launch } = input;
    const seat = turns.createSeat(key);
    const gate: TurnGate = {
      enter: (turn) => turns.enter(seat, turn),
      leave: (turn) => turns.leave(seat, turn),
      lend: () => turns.lend(seat),
      regain: () => turns.regain(seat),
      beforeStart: () => turns.awaitRoom(seat, (onWait) => room.awaitRoom(seat, onWait)),
      onGone: () => room.noteGone(),
      onChange: () => room.makeRoom(),
    };
    const all = { ...input.options, ...options };
    // A session without a transcript could not be resumed.
    const isSuspended = idleTimeoutMs > 0 && all.persistSession !== false;
    const conversation = createConversation(
      withoutUndefined({
        lazy: true,
        gate,
        options: all,
        restart: restart ?? input.restart,
        interrupted,
        idleAfterMs: isSuspended ? idleTimeoutMs : 0,
        waiting:
          suspendAfterMs === undefined
            ? undefined
            : { afterMs: suspendAfterMs, withServers: suspendWithServers === true },
        launch,
        origin: members,
      }),
    );
    members.set(seat, conversation);
    void conversation.cli.over.then(() => members.delete(seat));
    return presentConversation(conversation) as Session<OutputOf<Schema>>;
  }

  stats(): SessionGroupStats {
    const { members, room, turns } = groups.of(this);
    const waitingByKey: Record<string, number> = {};
    let waiting = 0;
    for (const [{ key, isRunning }, conversation] of members) {
      // This turn may run, and waits only for its CLI.
      const isStarting = isRunning && conversation.turns.written.size === 0;
      const { waiting: held, continuing } = conversation.turns;
      const count = held.length + continuing.length - (isStarting ? 1 : 0);
      if (count > 0) waitingByKey[key] = (waitingByKey[key] ?? 0) + count;
      waiting += count;
    }
    return {
      sessions: members.size,
      open: room.open,
      running: turns.running,
      lent: turns.lent,
      waiting,
      waitingByKey,
    };
  }

  closeAll(): Promise<void> {
    const group = groups.of(this);
    group.closed ??= closeMembers(group);
    return group.closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.closeAll();
  }

  [INSPECT_TARGET](): SessionsTarget {
    const { members } = groups.of(this);
    return { origin: members, present: [...members.values()] };
  }
}

async function closeMembers({ members, room }: GroupState): Promise<void> {
  room.stop();
  await Promise.all([...members.values()].map((conversation) => conversation.close()));
}

function refuse(option: string, shape: string): never {
  throw new InvalidOptionsError([option], `The option "${option}" of a group must be ${shape}`);
}
