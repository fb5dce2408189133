// A stage for one case: a scripted model, a home for the CLI, and queries whose wire is overheard. When the
// case is over it must have gone by the script, every child must be gone, and no request answered twice.
import { expect } from 'vitest';
import { isRunning } from '../../support/is-running.js';
import type { Cli } from './cli.js';
import { createIsolatedEnvironment, createQuery, launchCli, startScriptedModel } from './inboard.js';
import type {
  InboardWarning,
  IsolatedEnvironment,
  Launch,
  ModelRequest,
  Options,
  Prompt,
  Query,
  ScriptedModel,
  ScriptedModelOptions,
} from './inboard.js';
import { WireLog } from './wire-log.js';

/** The model's script, and what all queries of the case have in common. */
export interface StagePlan extends ScriptedModelOptions {
  /** Variables beside those of the isolated environment. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly options?: Options;
}

/** A query under way. */
export interface Act {
  readonly query: Query;
  readonly wire: WireLog;
  readonly warnings: readonly InboardWarning[];
}

/** What a case works with. */
export interface Stage {
  readonly cli: Cli;
  readonly model: ScriptedModel;
  readonly home: IsolatedEnvironment;
  /** The last request of the conversation; throws when there was none. */
  readonly lastRequest: () => ModelRequest;
  /** Options for a query in this home, on this CLI. */
  readonly options: (more?: Options) => Options;
  /** Starts a query whose wire is overheard. */
  readonly start: (prompt: Prompt, more?: Options, launch?: Launch) => Act;
}

/** Plays a case and clears up after it. What the case throws comes first; then come the stage's own complaints. */
export async function onStage(
  cli: Cli,
  { env, options: common, ...script }: StagePlan,
  play: (stage: Stage) => Promise<void>,
): Promise<void> {
  const model = await startScriptedModel(script);
  const acts: Act[] = [];
  const home = await createIsolatedEnvironment({ baseUrl: model.url, ...(env && { extra: env }) });
  const options = (more: Options = {}): Options => ({
    ...cli.options,
    env: home.env,
    cwd: home.cwd,
    ...common,
    ...more,
  });
  const stage: Stage = {
    cli,
    model,
    home,
    options,
    lastRequest() {
      const last = model.conversation.at(-1);
      if (last === undefined) throw new Error('The model was never asked');
      return last;
    },
    start(prompt, more = {}, launch = launchCli) {
      const wire = new WireLog();
      const warnings: InboardWarning[] = [];
      const query = createQuery({
        prompt,
        options: options({ onWarning: (warning) => warnings.push(warning), ...more }),
        launch: wire.overhear(launch),
      });
      const act = { query, wire, warnings };
      acts.push(act);
      return act;
    },
  };
  try {
    await play(stage);
    for (const { query } of acts) await query.close();
    model.verify();
    expect(acts.flatMap(({ wire }) => wire.listDoubleAnswers())).toEqual([]);
    expect(acts.flatMap(({ wire }) => wire.pid ?? []).filter(isRunning)).toEqual([]);
  } finally {
    await Promise.all(acts.map(({ query }) => query.close()));
    await model.close({ verify: false });
    await home.remove();
  }
}
