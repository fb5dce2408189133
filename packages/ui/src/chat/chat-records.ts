// Reads the saved conversations of chats that have no session at the moment, and watches whether another process has one of
// them. Reading starts, claims and writes nothing.
import type { Approvals } from '@inboard/core/answer/permissions/approvals/approvals.js';
import { InvalidOptionsError } from '@inboard/core/errors.js';
import { isSessionId } from '@inboard/core/record/history/arguments.js';
import { isRecord } from '@inboard/core/util/guards.js';
import { loadPart } from '@inboard/core/util/load-part.js';
import { sessionIdOfChat, type UiChatPlace } from '../history/chat-place.js';
import { readRecordedChat, type RecordedChat } from '../history/recorded-answer.js';

/** How long to wait for another process that has the claim to a chat's calls, in milliseconds. */
const PATIENCE_MS = 10_000;

/** Where the conversation of a chat is kept, for `createUiChat`. */
export type FindChatPlace = (
  id: string,
  request: Request | undefined,
) => UiChatPlace | undefined | Promise<UiChatPlace | undefined>;

/** What is saved of a chat. */
export interface FoundChat {
  /** Whether it is certain that nothing else is saved. False if only a guess of the place was tried, and nothing was there. */
  isCertain: boolean;
  recorded?: RecordedChat | undefined;
}

/** The saved conversations of one server. */
export class ChatRecords {
  readonly #approvals: Approvals;
  readonly #findPlace: FindChatPlace | undefined;

  constructor(approvals: Approvals, findPlace: FindChatPlace | undefined) {
    this.#approvals = approvals;
    this.#findPlace = findPlace;
  }

  /** The place of a chat. Undefined if the program says that the chat has none. */
  async place(chatId: string, request: Request | undefined): Promise<UiChatPlace | undefined> {
    if (!this.#findPlace) return { sessionId: sessionIdOfChat(chatId) };
    const place: unknown = await this.#findPlace(chatId, request);
    if (place === undefined) return undefined;
    if (!isRecord(place) || !isSessionId(place['sessionId']))
      throw new InvalidOptionsError(
        ['place'],
        'The function "place" must return undefined, or where the session of the chat is kept: { sessionId } with a UUID',
      );
    return place as unknown as UiChatPlace;
  }

  /** What is saved of a chat. Rejects with the error of the option `place`, the file system or the store. */
  async read(chatId: string, request: Request | undefined): Promise<FoundChat> {
    const place = await this.place(chatId, request);
    const recorded = place && (await readRecordedChat(place, this.#approvals));
    return { isCertain: this.#findPlace !== undefined || recorded !== undefined, recorded };
  }

  /** Whether all processes have left the chat's session, so that this one may go on with it. */
  async isLeft(chatId: string, request: Request | undefined): Promise<boolean> {
    const place = await this.place(chatId, request);
    if (!place) return false;
    const { isSessionLeft } = await loadPart(
      () => import('@inboard/core/verbs/conversation/completion/left-session.js'),
    );
    const { sessionId, ...options } = place;
    return await isSessionLeft({ sessionId, options });
  }

  /** Rejects once another process has kept the claim to the chat's calls for a while. The signal ends the watch. */
  async watchOthers(chatId: string, request: Request | undefined, signal: AbortSignal): Promise<never> {
    const place = await this.place(chatId, request);
    const { awaitClaimedElsewhere } = await loadPart(
      () => import('@inboard/core/verbs/conversation/completion/claimed-elsewhere.js'),
    );
    const { sessionId, ...options } = place ?? { sessionId: sessionIdOfChat(chatId) };
    const refusal = await awaitClaimedElsewhere({ sessionId, options, afterMs: PATIENCE_MS, signal });
    if (refusal) throw refusal;
    return await new Promise<never>(() => {});
  }
}
