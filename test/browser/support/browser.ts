// A real browser, driven over a pipe by its own protocol: no driver to install, no port to open. One browser has any number
// of pages; `page.ts` is what can be done with each.
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { Page, type Look } from './page.js';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const FLAGS = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-dev-shm-usage',
  // A page behind another one would else draw and count time seldom.
  '--disable-renderer-backgrounding',
  '--disable-backgrounding-occluded-windows',
  '--disable-background-timer-throttling',
  // Its own user interface is made of pages, too: beside each page of a test, those of the address bar took a second of a processor.
  '--no-startup-window',
  '--disable-features=SpareRendererForSitePerProcess,WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup',
];

/** The browser's path: INBOARD_BROWSER, or one found on the PATH. */
export function findBrowser(): string | undefined {
  const given = process.env['INBOARD_BROWSER'];
  if (given) return given;
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders
    .flatMap((folder) => NAMES.map((name) => join(folder, name)))
    .find((path) => existsSync(path));
}

interface Reply {
  id?: number;
  sessionId?: string;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { message: string };
}

interface Waiter {
  resolve(value: Record<string, unknown>): void;
  reject(error: Error): void;
}

/** A running browser. The test that starts it closes it. */
export class Browser {
  readonly #child: ChildProcess;
  readonly #profile: string;
  readonly #waiting = new Map<number, Waiter>();
  readonly #pages = new Map<string, Page>();
  #lastId = 0;

  private constructor(child: ChildProcess, profile: string) {
    this.#child = child;
    this.#profile = profile;
    let rest = '';
    const output = child.stdio[4] as Readable;
    output.setEncoding('utf8');
    output.on('data', (text: string) => {
      const parts = (rest + text).split('\0');
      rest = parts.pop() ?? '';
      for (const part of parts) this.#receive(JSON.parse(part) as Reply);
    });
    child.once('exit', () => {
      for (const waiter of this.#waiting.values()) waiter.reject(new Error('The browser is gone'));
      this.#waiting.clear();
    });
  }

  /** Starts a browser with a fresh profile and no page. */
  static start(path: string): Browser {
    const profile = mkdtempSync(join(tmpdir(), 'browser-'));
    const child = spawn(path, [...FLAGS, '--remote-debugging-pipe', `--user-data-dir=${profile}`], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
      // In a group of its own, so that its helpers, who write into the profile, end with it.
      detached: true,
    });
    return new Browser(child, profile);
  }

  /**
   * Opens a page in cookies of its own, and waits until it says that it is ready (`data-ready` of its root). With `like`, it
   * shares those of that page, as a second tab does.
   */
  async open(url: string, look: Look = {}, like?: Page): Promise<Page> {
    const context =
      like?.context ?? String((await this.send('Target.createBrowserContext'))['browserContextId']);
    const { targetId } = await this.send('Target.createTarget', {
      url: 'about:blank',
      browserContextId: context,
    });
    const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true });
    const page = new Page({
      context,
      send: (method, params) => this.send(method, params, String(sessionId)),
      close: async () => {
        this.#pages.delete(String(sessionId));
        await this.send('Target.closeTarget', { targetId });
      },
    });
    this.#pages.set(String(sessionId), page);
    try {
      await page.begin(look);
      await page.goto(url);
    } catch (error) {
      await page.close();
      throw error;
    }
    return page;
  }

  /** Asks the browser, or one page of it. */
  send(
    method: string,
    params: Record<string, unknown> = {},
    sessionId?: string,
  ): Promise<Record<string, unknown>> {
    this.#lastId += 1;
    const id = this.#lastId;
    (this.#child.stdio[3] as Writable).write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
    });
  }

  /** Ends it, and everything that belongs to it. */
  async close(): Promise<void> {
    const isGone = this.#child.exitCode !== null || this.#child.signalCode !== null;
    const exited = isGone ? Promise.resolve() : once(this.#child, 'exit');
    endGroup(this.#child);
    await exited;
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }

  #receive({ id, sessionId, method, params, result, error }: Reply): void {
    if (id === undefined) {
      if (sessionId !== undefined && method !== undefined)
        this.#pages.get(sessionId)?.hear(method, params ?? {});
      return;
    }
    const waiter = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error) waiter?.reject(new Error(error.message));
    else waiter?.resolve(result ?? {});
  }
}

function endGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It is gone already.
  }
}
