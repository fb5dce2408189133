// A model of a journal: the states of turns and leases, and nothing else, written down a second time and more simply. It says
// what each call must give; the journal must give the same.
export interface ModelTurn {
  id: string;
  state: 'queued' | 'running' | 'parked' | 'ended';
  stop: boolean;
  notBefore: number;
  attempt: number;
  epoch: number;
  kind?: string;
}

export interface ModelConversation {
  turns: ModelTurn[];
  lease: { epoch: number; until: number; isReleased: boolean } | undefined;
  isClosed: boolean;
  questions: Map<string, { turn: string; isAnswered: boolean }>;
  calls: Map<string, { begun: number; epoch: number; isEnded: boolean }>;
}

/** What a call gave, as far as the model knows of it. */
export type Verdict = string;

export class Model {
  now = 0;
  epoch = 0;
  pausedUntil = 0;
  readonly conversations = new Map<string, ModelConversation>();

  enqueue(key: string, id: string, afterMs: number): Verdict {
    const known = this.conversations.get(key);
    if (known?.turns.some((turn) => turn.id === id)) return 'known';
    if (known?.isClosed) return 'CONVERSATION_CLOSED';
    const conversation: ModelConversation = known ?? {
      turns: [],
      lease: undefined,
      isClosed: false,
      questions: new Map(),
      calls: new Map(),
    };
    this.conversations.set(key, conversation);
    const notBefore = afterMs > 0 ? this.now + afterMs : 0;
    conversation.turns.push({ id, state: 'queued', stop: false, notBefore, attempt: 0, epoch: 0 });
    return 'new';
  }

  cancel(key: string, id: string): Verdict {
    const turn = this.conversations.get(key)?.turns.find((each) => each.id === id);
    if (turn?.state !== 'queued') return 'false';
    this.#end(key, turn, 'cancelled');
    return 'true';
  }

  interrupt(key: string): Verdict {
    const turn = this.#head(key);
    if (!turn || turn.state === 'queued') return 'false';
    if (turn.state === 'parked') this.#end(key, turn, 'interrupted');
    else Object.assign(turn, { stop: true, notBefore: 0 });
    return 'true';
  }

  closeConversation(key: string): Verdict {
    const conversation = this.conversations.get(key);
    if (!conversation) return 'CONVERSATION_UNKNOWN';
    if (conversation.isClosed) return 'done';
    conversation.isClosed = true;
    for (const turn of conversation.turns) if (turn.state === 'queued') this.#end(key, turn, 'cancelled');
    this.interrupt(key);
    return 'done';
  }

  remove(key: string): Verdict {
    return String(this.conversations.delete(key));
  }

  answer(id: string): Verdict {
    for (const [key, { questions, turns }] of this.conversations) {
      const question = questions.get(id);
      if (!question) continue;
      if (question.isAnswered) return `false ${key}`;
      question.isAnswered = true;
      const turn = turns.find((each) => each.id === question.turn);
      if (turn?.state === 'parked') turn.state = 'running';
      return `true ${key}`;
    }
    return 'false undefined';
  }

  /** The keys for which a lease would be granted. */
  due(): string[] {
    return [...this.conversations.keys()].filter((key) => !this.#isHeld(key) && this.#canRun(key)).sort();
  }

  lease(key: string, ms: number, given: number | undefined): Verdict {
    const conversation = this.conversations.get(key);
    if (!conversation) return 'unknown';
    if (this.#isHeld(key)) return 'held';
    if (!this.#canRun(key))
      return this.#head(key)?.state === 'queued' && this.#isPaused(key) ? 'paused' : 'idle';
    if (given === undefined || given <= this.epoch) return `granted an epoch above ${this.epoch}`;
    this.epoch = given;
    conversation.lease = { epoch: given, until: this.now + ms, isReleased: false };
    return 'granted';
  }

  renew(key: string, epoch: number, ms: number): Verdict {
    const lease = this.#lease(key, epoch);
    if (!lease || !this.#isHeld(key)) return 'lost';
    lease.until = this.now + ms;
    const head = this.#head(key);
    return head?.state === 'running' && head.stop ? `held ${head.id}` : 'held';
  }

  release(key: string, epoch: number, left?: { turn: string; afterMs?: number }): Verdict {
    const lease = this.#lease(key, epoch);
    if (!lease) return 'false';
    lease.isReleased = true;
    const turn = this.#head(key);
    if (left?.afterMs && turn?.id === left.turn && turn.state === 'running' && !turn.stop) {
      turn.notBefore = this.now + left.afterMs;
    }
    return 'true';
  }

  next(key: string, epoch: number): Verdict {
    if (!this.#lease(key, epoch) || !this.#isHeld(key)) return 'LEASE_LOST';
    const turn = this.#head(key);
    if (!turn || turn.state === 'parked' || (turn.state === 'queued' && !this.#canRun(key))) return 'none';
    if (turn.epoch !== epoch) turn.attempt += 1;
    turn.state = 'running';
    turn.epoch = epoch;
    return `${turn.id} attempt ${turn.attempt}${turn.stop ? ' stop' : ''}`;
  }

  finish(key: string, epoch: number, id: string, kind: string): Verdict {
    if (!this.#lease(key, epoch)) return 'LEASE_LOST';
    const turn = this.conversations.get(key)?.turns.find((each) => each.id === id);
    if (!turn || turn.state === 'queued') return 'TURN_UNKNOWN';
    if (turn.state === 'ended') return 'false';
    this.#end(key, turn, kind);
    return 'true';
  }

  finishAndNext(key: string, epoch: number, id: string, kind: string): Verdict {
    const ended = this.finish(key, epoch, id, kind);
    if (ended !== 'true' && ended !== 'false') return ended;
    return `${ended} ${this.#isHeld(key) ? this.next(key, epoch) : 'none'}`;
  }

  park(key: string, epoch: number, id: string, asked: readonly string[]): Verdict {
    if (!this.#lease(key, epoch)) return 'LEASE_LOST';
    const conversation = this.conversations.get(key);
    const turn = conversation?.turns.find((each) => each.id === id);
    if (!turn) return 'TURN_UNKNOWN';
    const isOpen = (name: string): boolean => conversation?.questions.get(name)?.isAnswered === false;
    if (turn.state !== 'running' || turn.stop || !asked.every(isOpen)) return 'false';
    turn.state = 'parked';
    return 'true';
  }

  ask(key: string, epoch: number, id: string, question: string): Verdict {
    if (!this.#lease(key, epoch)) return 'LEASE_LOST';
    const conversation = this.conversations.get(key);
    const state = conversation?.turns.find((each) => each.id === id)?.state;
    if (state !== 'running' && state !== 'parked') return 'TURN_UNKNOWN';
    if (conversation?.questions.get(question)?.isAnswered) return 'answered';
    conversation?.questions.set(question, { turn: id, isAnswered: false });
    return 'asked';
  }

  beginCall(key: string, epoch: number, id: string, callKey: string): Verdict {
    if (!this.#lease(key, epoch)) return 'LEASE_LOST';
    const conversation = this.conversations.get(key) as ModelConversation;
    const state = conversation.turns.find((each) => each.id === id)?.state;
    if (state !== 'running' && state !== 'parked') return 'TURN_UNKNOWN';
    const call = conversation.calls.get(callKey) ?? { begun: 0, epoch: 0, isEnded: false };
    conversation.calls.set(callKey, call);
    if (call.isEnded) return 'ended';
    if (call.epoch !== epoch) call.begun += 1;
    call.epoch = epoch;
    return call.begun === 1 ? 'new' : `begun ${call.begun - 1}`;
  }

  endCall(key: string, epoch: number, callKey: string): Verdict {
    if (!this.#lease(key, epoch)) return 'LEASE_LOST';
    const call = this.conversations.get(key)?.calls.get(callKey);
    if (!call) return 'INVALID_OPTIONS';
    Object.assign(call, { epoch, isEnded: true });
    return 'done';
  }

  /** Appends and events: all that matters is who may write. */
  write(key: string, epoch: number): Verdict {
    return this.#lease(key, epoch) ? 'done' : 'LEASE_LOST';
  }

  #lease(key: string, epoch: number): ModelConversation['lease'] {
    const lease = this.conversations.get(key)?.lease;
    return lease && lease.epoch === epoch && !lease.isReleased ? lease : undefined;
  }

  #isHeld(key: string): boolean {
    const lease = this.conversations.get(key)?.lease;
    return lease !== undefined && !lease.isReleased && this.now < lease.until;
  }

  #head(key: string): ModelTurn | undefined {
    return this.conversations.get(key)?.turns.find(({ state }) => state !== 'ended');
  }

  #isPaused(key: string): boolean {
    const head = this.#head(key);
    return head?.state === 'queued' && head.notBefore <= this.now && this.now < this.pausedUntil;
  }

  #canRun(key: string): boolean {
    const head = this.#head(key);
    if (!head || head.state === 'parked' || head.notBefore > this.now) return false;
    return head.state === 'running' || this.now >= this.pausedUntil;
  }

  #end(key: string, turn: ModelTurn, kind: string): void {
    Object.assign(turn, { state: 'ended', kind });
    const { questions } = this.conversations.get(key) as ModelConversation;
    for (const [id, question] of questions) {
      if (question.turn === turn.id && !question.isAnswered) questions.delete(id);
    }
  }
}
