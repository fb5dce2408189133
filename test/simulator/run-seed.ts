// Runs one plan in a world of its own, and judges it.
import { checkCalmClis } from './judge/check-calm.js';
import { checkAnswers } from './judge/check-answers.js';
import { endOfFaults, type Plan } from './plan.js';
import type { Kit, Scene } from './scenes/kit.js';
import { Sandbox, type Program } from './world/sandbox.js';
import { CliStarter, type CliPrograms } from './world/simulated-cli.js';
import { CALM, SimulatedService } from './world/simulated-service.js';
import { World, type Host } from './world/world.js';

/** The compiled code that worlds run. */
export interface Programs {
  scene: Program;
  cli: CliPrograms;
}

export interface RunReport {
  plan: Plan;
  digest: string;
  steps: number;
  virtualMs: number;
  broken: string[];
  log: readonly string[];
}

/** How long everything may take once the faults are over, beyond what people and the plan take. */
const BOUND_MS = 180_000;
const LOOK_MS = 200;
/** How long nothing happens after all has ended, and how often a worker may ask the journal then. */
const REST_MS = 8000;
const MOST_AT_REST = 150;
/** How many CLIs of a session may follow each fault. */
const EACH_FAULT = 4;
/** How long a killed host is away. */
const RESTART_MS = 400;

export async function runPlan(programs: Programs, plan: Plan): Promise<RunReport> {
  const world = new World(plan.seed);
  const onRejection = (error: unknown): void => world.noteUncaught(error);
  process.on('unhandledRejection', onRejection);
  try {
    return await new Run(world, programs, plan).play();
  } finally {
    world.end();
    process.off('unhandledRejection', onRejection);
  }
}

class Run {
  readonly #world: World;
  readonly #plan: Plan;
  readonly #clis: CliStarter;
  /** The scene as each host has it: its own, with modules of its own, or one for all of them. */
  readonly #scenes = new Map<Host, Scene>();
  readonly #createScene: () => Scene;
  readonly #common: Scene;
  readonly #hosts = new Map<string, Host>();
  readonly #services = new Map<string, SimulatedService>();
  readonly #sandbox: Sandbox;
  readonly #broken: string[] = [];
  #lives = 0;
  #isClosing = false;

  constructor(world: World, programs: Programs, plan: Plan) {
    this.#world = world;
    this.#plan = plan;
    this.#sandbox = new Sandbox(world);
    this.#clis = new CliStarter(this.#sandbox, programs.cli);
    const service = (name: string) => {
      return <Target extends object>(target: Target, createError: () => Error): Target => {
        let known = this.#services.get(name);
        if (!known) this.#services.set(name, (known = new SimulatedService(world, name, createError)));
        this.#setServices();
        return known.seenFrom(world.host as Host, target, ['store']);
      };
    };
    const services = world.addHost('services');
    const kit: Kit = {
      plan,
      now: () => world.now,
      host: () => world.host?.name ?? '',
      note: (line) => world.note(line),
      createTransport: (request) => this.#clis.createTransport(request as never) as never,
      chance: (use) => world.chanceFor(use),
      journal: service('journal'),
      dispatcher: service('dispatcher'),
      asService: (run) => world.on(services, run),
      shared: {},
    };
    this.#sandbox.spawn = (command, args, options) => this.#clis.spawn(command, args, options);
    this.#createScene = () =>
      (this.#sandbox.load(programs.scene, {}) as { createScene: (kit: Kit) => Scene }).createScene(kit);
    this.#common = this.#createScene();
  }

  async play(): Promise<RunReport> {
    const world = this.#world;
    const plan = this.#plan;
    const workers = Array.from({ length: plan.workers }, (_, index) => `w${index + 1}`);
    const roles = plan.scene === 'cluster' ? ['s', 'r', 'p', ...workers] : [...workers, 'p'];
    for (const role of roles) this.#start(role);
    for (const fault of plan.faults)
      if (!fault.point) world.after(fault.at, `fault ${fault.kind} ${fault.host}`, () => this.#fail(fault));
    this.#awaitPoints();
    const calmAt = endOfFaults(plan);
    world.after(calmAt, 'calm', () => this.#setServices(), undefined);
    const people = plan.conversations.map(({ turns }) =>
      turns.reduce(
        (sum, { afterMs, answerMs, calls, ms }) =>
          sum + afterMs + (answerMs * 2 + ms * 3 + 1000) * (calls + 1),
        0,
      ),
    );
    const limit = calmAt + Math.max(0, ...people) + BOUND_MS;
    let isSettled = false;
    const look = (): void => {
      void this.#common.isSettled().then((is) => (isSettled = is));
      if (!isSettled) world.on(undefined, () => world.after(LOOK_MS, 'look', look));
    };
    look();
    if (!(await world.runUntil(() => isSettled && world.now >= calmAt, limit)))
      this.#broken.push(
        `H not everything has ended ${Math.floor(world.now - calmAt)} ms after the last fault`,
      );
    const before = world.log.length;
    await world.runUntil(() => false, REST_MS);
    this.#checkRest(world.log.slice(before));
    await this.#close(roles);
    let collected: Awaited<ReturnType<Scene['collect']>> | undefined;
    void world
      .on(this.#world.hosts.get('services'), () => this.#common.collect())
      .then(
        (all) => (collected = all),
        (error: unknown) => this.#broken.push(`X ${String((error as Error).stack)}`),
      );
    await world.runUntil(
      () => collected !== undefined || this.#broken.some((line) => line.startsWith('X')),
      60_000,
    );
    const { seen } = this.#common;
    const broken = [
      ...this.#broken,
      ...seen.complaints,
      ...world.uncaught.map((text) => `U ${text}`),
      ...(collected?.broken ?? []),
      ...(collected ? checkAnswers({ plan, seen, turns: collected.turns }) : []),
      ...this.#checkClis(),
      ...this.#countClis(),
      ...(plan.isCalm ? checkCalmClis(this.#clis.started.map(({ session }) => session)) : []),
    ];
    this.#sandbox.end();
    return {
      plan,
      digest: world.digest(),
      steps: world.steps,
      virtualMs: world.now,
      broken: [...new Set(broken)],
      log: world.log,
    };
  }

  #start(role: string): void {
    if (this.#isClosing) return;
    const world = this.#world;
    const life = (this.#lives += 1);
    const host = world.addHost(`${role}#${life}`);
    this.#sandbox.describeHost(host);
    this.#hosts.set(role, host);
    // What is one process in earnest has modules of its own.
    const scene = this.#plan.scene === 'desk' ? this.#createScene() : this.#common;
    this.#scenes.set(host, scene);
    world.begin(host, `start ${role}`, () => scene.start(role));
  }

  /** Lets faults happen at their points, to the host whose moment it is. */
  #awaitPoints(): void {
    const world = this.#world;
    const waiting = this.#plan.faults.flatMap((fault) => (fault.point ? [{ fault, ...fault.point }] : []));
    // Who is away while a person answers is who has asked.
    let asker: string | undefined;
    world.onNote = (line) => {
      asker = /^journal ask of (\w+)#/.exec(line)?.[1] ?? asker;
      for (const each of waiting) {
        if (each.times === 0 || !line.startsWith(each.line)) continue;
        each.times -= 1;
        if (each.times > 0 || world.now > each.fault.at) continue;
        const named = / of (\w+)#/.exec(line)?.[1];
        const own = named ?? [...this.#hosts].find(([, host]) => host === world.host)?.[0];
        const { kind, host } = each.fault;
        // What another does may be a moment of the host that the plan names.
        const role = own?.startsWith('w') || kind === 'lost' ? own : own === 'p' ? (asker ?? host) : host;
        if (role === undefined || !this.#hosts.has(role)) continue;
        const fault = { ...each.fault, host: kind === 'cli' ? host : role };
        const call = /^journal (\w+) /.exec(line)?.[1];
        const fail = (): void => this.#fail(fault, role, call);
        // What a service has just been asked is done, and nobody hears of it.
        if (named) world.on(undefined, () => world.after(0, `fault ${kind} ${role}`, fail));
        else world.on(undefined, fail);
      }
    };
  }

  #fail({ kind, host: name, forMs }: Plan['faults'][number], owner?: string, call?: string): void {
    const world = this.#world;
    const host = this.#hosts.get(name);
    if (kind === 'cli') {
      const alive = this.#clis.started.filter(
        (cli) => cli.endedAt === undefined && (owner === undefined || cli.owner === this.#hosts.get(owner)),
      );
      alive[Number(name) % Math.max(1, alive.length)]?.kill('SIGKILL');
      return;
    }
    if (kind === 'journal') {
      this.#setServices({ ...CALM, failures: 0.2, delay: { usual: 50, rare: 3000 } });
      world.after(forMs, 'journal is well', () => this.#setServices(), undefined);
      return;
    }
    if (!host || host.isDead) return;
    if (kind === 'kill') this.#kill(name, host, forMs);
    else if (kind === 'freeze') {
      host.frozenSince = world.now;
      host.frozenUntil = world.now + forMs;
      host.stops.push({ from: world.now, until: host.frozenUntil });
    } else if (kind === 'lost') this.#services.get('journal')?.loseAnswer(host, call);
    else if (kind === 'cut') {
      host.cutOffUntil = world.now + forMs;
      world.after(forMs, 'line is whole', () => {
        for (const service of this.#services.values()) service.heal(host);
      });
    } else if (kind === 'disk') host.diskFullUntil = world.now + forMs;
    else if (kind === 'skew') host.skewMs += forMs === 1 ? 3_600_000 : -3_600_000;
    else if (kind === 'drain') {
      world.begin(host, `drain ${name}`, async () => this.#scenes.get(host)?.end(name));
      world.after(40_000 + forMs, `drained ${name}`, () => this.#kill(name, host, RESTART_MS), undefined);
    }
  }

  #kill(role: string, host: Host, awayMs: number): void {
    if (host.isDead) return;
    this.#world.bury(host);
    this.#clis.orphan(host);
    for (const service of this.#services.values()) service.bury(host);
    this.#world.on(undefined, () =>
      this.#world.after(RESTART_MS + awayMs, `restart ${role}`, () => this.#start(role)),
    );
  }

  #setServices(faults = CALM): void {
    const isCalm = this.#world.now >= endOfFaults(this.#plan);
    const journal = this.#services.get('journal');
    const dispatcher = this.#services.get('dispatcher');
    if (journal) journal.faults = { ...faults, doubled: isCalm ? 0 : this.#plan.doubledWakes };
    if (dispatcher)
      dispatcher.faults = isCalm
        ? CALM
        : { ...CALM, lost: this.#plan.lostWakes, doubled: this.#plan.doubledWakes };
  }

  /** Ends all hosts in an orderly way, which must end too. */
  async #close(roles: readonly string[]): Promise<void> {
    this.#isClosing = true;
    const world = this.#world;
    let open = 0;
    for (const role of roles) {
      const host = this.#hosts.get(role);
      if (!host || host.isDead) continue;
      open += 1;
      world.begin(host, `close ${role}`, async () => {
        await this.#scenes
          .get(host)
          ?.end(role)
          .finally(() => (open -= 1));
      });
    }
    if (!(await world.runUntil(() => open === 0, BOUND_MS)))
      this.#broken.push(`H ${open} hosts did not close`);
    await world.runUntil(() => false, 3000);
  }

  /** Where there is nothing to do, workers renew leases and look for work now and then. */
  #checkRest(log: readonly string[]): void {
    const asked = log.filter((line) => / journal \w+ of w/.test(line)).length;
    const most = this.#plan.workers * MOST_AT_REST;
    if (asked > most) this.#broken.push(`R the workers asked the journal ${asked} times with nothing to do`);
  }

  /** A turn that waits needs no CLI, so one is started for a message, for the answers to calls, and after a fault. */
  *#countClis(): Iterable<string> {
    const { scene, conversations, faults } = this.#plan;
    if (scene !== 'desk' || faults.some(({ kind }) => kind === 'disk')) return;
    const { started } = this.#clis;
    const most = conversations
      .flatMap(({ turns }) => turns)
      .reduce((sum, { calls }) => sum + 1 + calls, EACH_FAULT * (faults.length + 1));
    for (const session of new Set(started.map((cli) => cli.session))) {
      const count = started.filter((cli) => cli.session === session).length;
      if (count > most) yield `W the session ${session} had ${count} CLIs`;
    }
  }

  *#checkClis(): Iterable<string> {
    const { started } = this.#clis;
    for (const [index, cli] of started.entries()) {
      const endedAt = cli.endedAt ?? Infinity;
      const next = started
        .slice(index + 1)
        .find(({ session, startedAt }) => session === cli.session && startedAt < endedAt);
      // A host that stands still ends nothing, and its CLI a moment after it.
      const isExcused = cli.owner.stops.some(
        ({ from, until }) => from <= endedAt && next !== undefined && until >= next.startedAt - LOOK_MS,
      );
      if (next && !isExcused)
        yield `O the CLIs ${cli.name} and ${next.name} had the session ${cli.session} at the same time, from ${next.startedAt} to ${endedAt}`;
    }
    for (const { name, host, endedAt, exitCode, stderr } of this.#clis.started) {
      if (endedAt === undefined && !host.isDead) yield `O the CLI ${name} was left behind`;
      if (exitCode && !stderr.startsWith('No conversation found'))
        yield `P the CLI ${name} ended with ${exitCode}: ${stderr.slice(0, 200)}`;
    }
  }
}
