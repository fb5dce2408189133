// Lets the CLI of a turn go that only waits: for people, for pending calls, or for detached tools. Watches since when that is so,
// and makes sure that nothing is lost. `conversation-cli` ends the CLI and goes on with the turn later.
import { rewriteName } from '../../answer/mcp/tool/tool-name.js';
import { pauseBefore } from '../../util/back-off.js';
import { loadPart } from '../../util/load-part.js';
import { isRecord } from '../../util/guards.js';
import { clock } from '../../util/system/clock.js';
import { LONGEST_TIMER_MS } from '../../util/timers.js';
import type { LiveCli } from '../../live/live-cli.js';
import { knowsControl } from '../../live/controls/control-versions.js';
import { limitControl } from '../../live/controls/limit-control.js';
import type { ReleasedQuestions } from '../../live/release-cli.js';
import { readTotals, type ReportedTotals } from '../../record/usage/usage-totals.js';
import type { SDKMessage } from '../../wire/protocol/messages/messages.js';
import type { AskedAgain } from './completion/ask-again.js';
import type { findTranscriptPlace } from './completion/transcript-place.js';
import type { ConversationCli } from './conversation-cli.js';
import type { WaitReason } from './conversation-event.js';
import { findWaits } from './find-waits.js';
import { OpenToolUses } from './open-tool-uses.js';
import type { RecordingParts } from './recording-parts.js';
import { nameEndingServers } from './ending-servers.js';

/** How soon the transcript is looked at again, if the CLI has not written the calls yet. */
const LOOKS = { firstMs: 100, longestMs: 10_000 };
/** How long the CLI may take to say what it has used. */
const USAGE_TIMEOUT_MS = 2_000;

export interface WaitingReleaseInput {
  readonly parts: RecordingParts;
  readonly cli: ConversationCli;
  /** Whether something needs the CLI that does not belong to the turn: background tasks, or a request of the caller. */
  readonly isNeeded: () => boolean;
  /** Called before the CLI is let go, with its usage so far. Undefined if the CLI cannot tell. */
  readonly onLetGo: (totals: ReportedTotals | undefined) => void;
}

/** One per conversation. */
export class WaitingRelease {
  readonly #input: WaitingReleaseInput;
  readonly #uses = new OpenToolUses();
  /** Counts what happens in the turn. */
  #changes = 0;
  #lastChange = 0;
  #looks = 0;
  #isLooking = false;
  #hasWarned = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(input: WaitingReleaseInput) {
    this.#input = input;
    if (input.parts.waiting) input.parts.recording.waits.onChange = () => this.noteChange();
  }

  /** Follows the questions of a CLI that was just started. */
  follow(live: LiveCli): void {
    if (!this.#input.parts.waiting) return;
    this.#uses.clear();
    live.permissions.watch({ asked: () => this.noteChange(), settled: () => this.noteChange() });
  }

  observe(message: SDKMessage): void {
    if (!this.#input.parts.waiting) return;
    this.#uses.observe(message);
    this.noteChange();
  }

  /** Something happened, so that the time without a break begins anew. */
  noteChange(): void {
    const { waiting } = this.#input.parts;
    if (!waiting) return;
    this.#changes += 1;
    this.#lastChange = clock.performance.now();
    this.#looks = 0;
    // Without an open call the turn waits for nothing. The next message comes by itself.
    if (this.#uses.isEmpty) this.stop();
    else this.#arm(waiting.afterMs);
  }

  stop(): void {
    clock.clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #arm(ms: number): void {
    if (this.#timer !== undefined) return;
    this.#timer = clock.setTimeout(
      () => {
        this.#timer = undefined;
        this.#look();
      },
      Math.min(Math.max(1, ms), LONGEST_TIMER_MS),
    );
    this.#timer.unref();
  }

  #look(): void {
    const { parts, cli } = this.#input;
    if (!parts.waiting || cli.state !== 'ready' || !cli.live || this.#isLooking) return;
    const leftMs = parts.waiting.afterMs - (clock.performance.now() - this.#lastChange);
    // Timers may be a little early.
    if (leftMs > 1) {
      this.#arm(leftMs);
      return;
    }
    const waits = this.#findWaits(cli.live);
    // A callback that was called a moment ago may answer by itself.
    if (typeof waits === 'number') this.#arm(waits);
    else if (waits && !this.#isKept()) void this.#letGo(cli.live);
  }

  /** What the turn waits for. Undefined if it does something, and a number of milliseconds if that is not sure yet. */
  #findWaits(live: LiveCli): readonly WaitReason[] | number | undefined {
    const { parts, isNeeded } = this.#input;
    if (!parts.turns.written.running || isNeeded()) return undefined;
    return findWaits({ live, uses: this.#uses, recording: parts.recording, isOwn: this.#isOwn });
  }

  /** Whether a tool runs in this process. The CLI runs all others. */
  readonly #isOwn = (toolName: string): boolean => {
    const { mcpServers } = this.#input.parts.recording.scope.options;
    return Object.entries(mcpServers ?? {}).some(
      ([server, config]) =>
        isRecord(config) && 'instance' in config && toolName.startsWith(`mcp__${rewriteName(server)}__`),
    );
  };

  /** Whether the CLI is kept although the turn waits. The reason is reported once. */
  #isKept(): boolean {
    const { parts } = this.#input;
    const { recording, waiting, warnings } = parts;
    const servers = waiting?.withServers === true ? [] : nameEndingServers(parts, this.#uses.servers);
    const reason =
      recording.scope.obstacle ??
      (servers.length > 0
        ? `MCP servers would end with it (${servers.join(', ')}); "suspendWithServers" allows that`
        : undefined);
    // Where the records could not be opened, or something could not be recorded, that was reported.
    if (reason === undefined) return !recording.isOpen || recording.recorder?.isWhole === false;
    if (!this.#hasWarned)
      warnings.emit({
        code: 'CLI_KEPT_WAITING',
        message: `A turn waits, but its CLI is kept although "suspendAfterMs" is set: ${reason}`,
      });
    this.#hasWarned = true;
    return true;
  }

  async #letGo(live: LiveCli): Promise<void> {
    this.#isLooking = true;
    const seen = this.#changes;
    try {
      const part = await loadPart(() => import('./completion/complete-calls.js'));
      const isSaved = await this.#isSaved(live, part.findTranscriptPlace);
      const totals = isSaved ? await askTotals(live) : undefined;
      const { parts, cli, onLetGo } = this.#input;
      const waits = cli.live === live && cli.state === 'ready' ? this.#findWaits(live) : undefined;
      if (waits === undefined || typeof waits === 'number' || seen !== this.#changes) {
        this.#arm(parts.waiting?.afterMs ?? 0);
        return;
      }
      if (!isSaved) {
        this.#arm(pauseBefore(this.#looks, LOOKS));
        this.#looks += 1;
        return;
      }
      this.stop();
      onLetGo(totals);
      cli.letGo(waits, (released) => this.#hold(part.AskedAgain, released));
    } catch (error) {
      this.#input.parts.warnings.report(
        new Error('A turn waits, but its CLI could not be let go', { cause: error }),
      );
    } finally {
      this.#isLooking = false;
    }
  }

  /** Whether the transcript has all open calls. What the CLI has not saved would be lost with it. */
  async #isSaved(live: LiveCli, findPlace: typeof findTranscriptPlace): Promise<boolean> {
    const { cli, parts } = this.#input;
    const { options } = parts.recording.scope;
    const { sessionId } = cli;
    if (sessionId === undefined || !(await live.flushTranscript())) return false;
    const transcript = await findPlace({ sessionId, options, cliVersion: live.version }).open();
    const saved = new Set(transcript?.calls.map(({ toolUseId }) => toolUseId));
    return this.#uses.ids.every((id) => saved.has(id));
  }

  #hold(Questions: typeof AskedAgain, released: ReleasedQuestions): AskedAgain {
    const { parts, cli } = this.#input;
    const { recording, warnings, calls } = parts;
    return new Questions(
      {
        options: recording.scope.options,
        warnings,
        sessionId: cli.sessionId ?? '',
        identify: (call) => calls.identify(call),
        findInputProblem: released.findInputProblem,
        onAnswered: (requestId, given) =>
          recording.recorder?.questions.settle(requestId, { ...given, withoutCli: true }),
      },
      released,
    );
  }
}

/** Asks a CLI for what it has used. It reports the open turn only when asked. Undefined if it does not say so in time. */
async function askTotals(live: LiveCli): Promise<ReportedTotals | undefined> {
  if (live.version === undefined || !knowsControl('get_usage', live.version)) return undefined;
  const request = { subtype: 'get_usage', skip_behaviors: true };
  try {
    const answer = await limitControl('get_usage', { timeoutMs: USAGE_TIMEOUT_MS }, (signal) =>
      live.request(request, { signal }),
    );
    const { session } = isRecord(answer) ? answer : {};
    if (!isRecord(session) || !isRecord(session['model_usage'])) return undefined;
    return readTotals({ ...session, modelUsage: session['model_usage'] });
  } catch {
    // The usage is then counted from the messages of the turn.
    return undefined;
  }
}
