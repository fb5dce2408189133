// A journal in which people have sent, answered, interrupted and closed, for tests of its audit.
import type { ApprovalAnswer } from '@inboard/core/answer/permissions/approvals/approval.js';
import { ClusterScene } from './cluster-scene.js';

/** In an input of tenant acme. A page must never show it. */
export const AUDITED_SECRET = 'sk-ant-api03-0123456789abcdefghijklmnop';

/** A journal with an audit. */
export class AuditScene extends ClusterScene {
  /** With six entries of tenant acme: sent, sent, edited, denied, interrupted, closed. */
  static async create(): Promise<AuditScene> {
    const scene = new AuditScene();
    await scene.sendAs('user-17', 'acme/1', 'acme');
    await scene.sendAs('user-18', 'acme/2', 'acme');
    const { fence, turn } = await scene.take('acme/1');
    const input = { order: 'A-1', amount: 20, note: 'late', api_key: AUDITED_SECRET };
    await scene.ask(fence, turn, 'q1', input);
    await scene.#answer('q1', {
      result: { behavior: 'allow', updatedInput: { ...input, amount: 5 } },
      by: 'user-42',
    });
    await scene.ask(fence, turn, 'q2', input);
    await scene.#answer('q2', { result: { behavior: 'deny', message: 'No receipt' }, by: 'user-42' });
    scene.now += 1000;
    await scene.journal.interrupt('acme/1', { by: 'night-watch@example.com' });
    scene.now += 60_000;
    await scene.journal.closeConversation('acme/2');
    return scene;
  }

  /** Sends a message in the name of a person. */
  async sendAs(by: string, key: string, tenant?: string): Promise<string> {
    this.now += 1000;
    const id = `t${(await this.journal.turns(key)).length + 1}`;
    const start = { agent: 'support', data: null, tenant };
    await this.journal.enqueue({ key, id, content: 'Hello', start }, { by });
    return id;
  }

  async #answer(id: string, answer: Pick<ApprovalAnswer, 'result' | 'by'>): Promise<void> {
    this.now += 1000;
    await this.journal.answer(id, { ...answer, answeredAt: 0 });
  }
}
