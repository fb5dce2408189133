// The Kubernetes manifests of the template `cluster` keep what docs/deployment.md says of them, and fit the code that they run. Their
// schemas are checked by scripts/check-manifests.mjs.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readDockerfile } from '../../services/deployment/dockerfile.js';
import { listKind, MANIFESTS, readManifests, TEMPLATE, WORKLOADS, type Container } from './manifests.js';
import { readYaml } from './read-yaml.js';

const names = ['agent-worker', 'agent-api', 'agent-remote', 'agent-migrate'];
const servers = ['agent-worker', 'agent-api', 'agent-remote'];
const image = readDockerfile(readFileSync(join(TEMPLATE, 'Dockerfile'), 'utf8')).at(-1);
const code = new Map(
  readdirSync(join(TEMPLATE, 'src')).map((file) => [file, readFileSync(join(TEMPLATE, 'src', file), 'utf8')]),
);
const config = listKind('ConfigMap')[0]?.data ?? {};
const secrets = new Map(
  readManifests('secret.example.yaml').map(({ metadata, stringData }) => [metadata.name, stringData ?? {}]),
);

function podOf(name: string) {
  const workload = WORKLOADS.get(name);
  if (!workload) throw new Error(`There is no ${name}`);
  const [container, ...others] = workload.pod.containers;
  if (!container || others.length > 0) throw new Error(`${name} has not one container`);
  return { ...workload, container };
}

/** The names of the variables that a container gets. Those of `remote` have a secret that its kustomization describes. */
function variablesOf(container: Container): string[] {
  return [
    ...(container.env ?? []).map(({ name }) => name),
    ...(container.envFrom ?? []).flatMap(({ configMapRef, secretRef }) => {
      if (configMapRef) return Object.keys(config);
      if (secretRef?.name === 'agent-remote') return ['REMOTE_TOKEN'];
      return Object.keys(secrets.get(secretRef?.name ?? '') ?? {});
    }),
    ...Object.keys(image?.env ?? {}),
  ];
}

/** An amount of memory or disk, so that it can be compared. */
function toMebibytes(text: string | undefined): number {
  const [, amount = '', unit = ''] = /^(\d+)(Mi|Gi)$/.exec(text ?? '') ?? [];
  return Number(amount) * (unit === 'Gi' ? 1024 : 1);
}

describe('what runs', () => {
  it('is what is expected, in no namespace', () => {
    expect([...WORKLOADS.keys()].sort()).toEqual([...names].sort());
    expect(MANIFESTS.filter(({ metadata }) => metadata.namespace !== undefined)).toEqual([]);
    const ids = MANIFESTS.map(({ kind, metadata }) => `${kind}/${metadata.name}`);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each(names)('%s has no rights, and cannot write to its root', (name) => {
    const { pod, container } = podOf(name);
    const [user, group] = (image?.user ?? '').split(':').map(Number);
    expect(pod.securityContext).toEqual({
      runAsNonRoot: true,
      runAsUser: user,
      runAsGroup: group,
      fsGroup: group,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(user).toBeGreaterThan(0);
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(pod).toMatchObject({ serviceAccountName: 'agent', automountServiceAccountToken: false });
  });

  it.each(names)('%s has limits, and its volumes fit into them', (name) => {
    const { pod, container } = podOf(name);
    const { requests, limits } = container.resources;
    for (const what of ['cpu', 'memory', 'ephemeral-storage']) {
      expect(requests[what], what).toMatch(/^\d+(?:m|Mi|Gi)?$/);
      expect(limits[what], what).toMatch(/^\d+(?:m|Mi|Gi)?$/);
    }
    expect(toMebibytes(limits['memory'])).toBeGreaterThanOrEqual(toMebibytes(requests['memory']));
    const volumes = (pod.volumes ?? []).flatMap(({ emptyDir }) => (emptyDir ? [emptyDir.sizeLimit] : []));
    const all = volumes.map(toMebibytes).reduce((sum, each) => sum + each, 0);
    expect(all).toBeGreaterThan(0);
    expect(all).toBeLessThanOrEqual(toMebibytes(limits['ephemeral-storage']));
    // Whatever is mounted is there, and whatever is there is mounted.
    const mounted = (container.volumeMounts ?? []).map((mount) => mount.name);
    expect(mounted.sort()).toEqual((pod.volumes ?? []).map((volume) => volume.name).sort());
    const paths = (container.volumeMounts ?? [])
      .filter(({ readOnly }) => !readOnly)
      .map(({ mountPath }) => mountPath);
    expect(paths).toContain(image?.env['TMPDIR']);
    // Those that start CLIs.
    expect(paths.includes(image?.env['HOME'] ?? '')).toBe(['agent-worker', 'agent-remote'].includes(name));
  });

  it.each(servers)('%s is probed where it serves its health', (name) => {
    const { container, labels } = podOf(name);
    const port = Number(config['HEALTH_PORT']);
    expect(container.ports).toContainEqual({ name: 'health', containerPort: port });
    for (const [probe, path] of [
      ['startupProbe', '/healthz'],
      ['readinessProbe', '/readyz'],
      ['livenessProbe', '/healthz'],
    ] as const)
      expect(container[probe], probe).toMatchObject({ httpGet: { path, port: 'health' }, timeoutSeconds: 1 });
    const program = /dist\/(\w+)\.js/.exec(container.args.join(' '))?.[1];
    if (program !== undefined) {
      expect(code.get(`${program}.ts`)).toMatch(/startHealth\(app\.cluster\)/);
      expect(code.get('health.ts')).toMatch(/readHost\(\)[^]*readNumber\('HEALTH_PORT', 9465\)/);
    } else expect(container.args).toContain(`--health-port=${port}`);
    expect(image?.ports).toContain(port);
    expect(labels['app.kubernetes.io/part-of']).toBe('agent');
  });

  it('starts programs that are there', () => {
    expect(image?.command).toEqual(podOf('agent-worker').container.args);
    for (const name of ['agent-worker', 'agent-api', 'agent-migrate']) {
      const [node, program = ''] = podOf(name).container.args;
      expect(node).toBe('node');
      expect([...code.keys()]).toContain(program.replace(/^dist\//, '').replace(/\.js$/, '.ts'));
    }
    expect(podOf('agent-remote').container.args.slice(0, 3)).toEqual([
      'node_modules/.bin/inboard',
      'remote',
      'serve',
    ]);
    for (const name of names) expect(podOf(name).container.image).toBe('agent');
  });

  it('has the memory of its CLIs, as docs/deployment.md reckons it', () => {
    const running = Number(config['CONCURRENCY']);
    const sessions = podOf('agent-remote').container.args.find((word) => word.startsWith('--max-sessions='));
    const clis = {
      'agent-worker': 2 * running + Number(config['RECOVERY_CONCURRENCY']),
      'agent-remote': Number(sessions?.split('=')[1]),
    };
    for (const [name, count] of Object.entries(clis)) {
      const { requests, limits } = podOf(name).container.resources;
      expect(toMebibytes(requests['memory']), name).toBeGreaterThanOrEqual(count * 140 + 64);
      expect(toMebibytes(limits['memory']), name).toBeGreaterThanOrEqual(count * 256 + 256);
    }
  });

  it('has time to end', () => {
    const grace = (name: string): number => podOf(name).pod.terminationGracePeriodSeconds ?? 30;
    expect(grace('agent-worker') * 1000).toBeGreaterThanOrEqual(Number(config['DRAIN_MS']) + 20_000);
    for (const name of ['agent-api', 'agent-remote']) {
      const [word, seconds] = podOf(name).container.lifecycle?.preStop?.exec?.command ?? [];
      expect(word).toBe('sleep');
      expect(grace(name)).toBeGreaterThanOrEqual(Number(seconds) + 15);
    }
    // A worker has no service, so nothing has to hear of its end.
    expect(podOf('agent-worker').container.lifecycle).toBeUndefined();
    expect(image?.stopSignal).toBe('SIGTERM');
    expect(image?.entrypoint[0]).toBe('tini');
  });
});

describe('what belongs together', () => {
  it('is selected by labels that pods have', () => {
    for (const manifest of [...listKind('Service'), ...listKind('PodDisruptionBudget')]) {
      const selector = manifest.spec?.['selector'] as Record<string, string> & {
        matchLabels?: Record<string, string>;
      };
      expect(podOf(manifest.metadata.name).labels).toMatchObject(selector.matchLabels ?? selector);
    }
    for (const { spec, metadata } of listKind('Deployment'))
      expect(podOf(metadata.name).labels).toMatchObject(
        (spec?.['selector'] as { matchLabels: object } | undefined)?.matchLabels ?? { none: true },
      );
    expect(
      listKind('PodDisruptionBudget')
        .map(({ metadata }) => metadata.name)
        .sort(),
    ).toEqual([...servers].sort());
  });

  it('is reached by ports that containers have', () => {
    for (const { spec, metadata } of listKind('Service'))
      for (const { targetPort } of (spec?.['ports'] ?? []) as Array<{ targetPort: string }>)
        expect(podOf(metadata.name).container.ports?.map(({ name }) => name)).toContain(targetPort);
    const http = podOf('agent-api').container.ports?.find(({ name }) => name === 'http');
    expect(http?.containerPort).toBe(Number(config['PORT']));
    expect(podOf('agent-remote').container.args).toContain('--port=7400');
  });

  it('has the variables that the code reads, and no others', () => {
    const source = [...code.values()].join('\n');
    const read = new Set(
      [...source.matchAll(/(?:readText|requireText|readNumber|readAmount)\(\s*'(\w+)'/g)].map(
        ([, name]) => name ?? '',
      ),
    );
    const accounts = /ACCOUNTS = \[([^\]]+)\]/.exec(code.get('settings.ts') ?? '')?.[1] ?? '';
    for (const [, name = ''] of accounts.matchAll(/'(\w+)'/g)) read.add(name);
    const patch = readManifests('remote/worker.yaml')[0]?.spec?.['template'] as {
      spec: { containers: Container[] };
    };
    const containers = [...names.map((name) => podOf(name).container), ...patch.spec.containers];
    const given = new Set(containers.flatMap((container) => variablesOf(container)));
    const ofThePrograms = [
      'NODE_ENV',
      'HOME',
      'TMPDIR',
      'DISABLE_AUTOUPDATER',
      'CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC',
    ];
    expect([...given].filter((name) => !read.has(name) && !ofThePrograms.includes(name))).toEqual([]);
    // MODEL lets a script answer, and TOOL_MS makes tools slow, which nobody wants to deploy. One account is enough.
    const left = ['MODEL', 'TOOL_MS', ...accounts.matchAll(/'(\w+)'/g)].map((found) =>
      typeof found === 'string' ? found : found[1],
    );
    expect([...read].filter((name) => !given.has(name) && !left.includes(name))).toEqual([]);
  });

  it('has secrets whose example no process starts with', () => {
    expect([...secrets.keys()].sort()).toEqual([
      'agent-api',
      'agent-database',
      'agent-migrate',
      'agent-model',
    ]);
    for (const [name, values] of secrets)
      expect(
        Object.values(values).some((value) => value.includes('REPLACE-ME')),
        name,
      ).toBe(true);
    expect(code.get('settings.ts')).toContain("includes('REPLACE-ME')");
    const used = names.flatMap((name) =>
      (podOf(name).container.envFrom ?? []).map(({ secretRef }) => secretRef?.name),
    );
    for (const name of secrets.keys()) expect(used).toContain(name);
    expect(MANIFESTS.filter(({ kind }) => kind === 'Secret')).toEqual([]);
  });
});

interface Policy {
  podSelector: {
    matchLabels?: Record<string, string>;
    matchExpressions?: Array<{ key: string; values: string[] }>;
  };
  policyTypes: string[];
  ingress?: Array<{ from: unknown[]; ports: Array<{ port: number }> }>;
  egress?: Array<{ to: Array<{ podSelector?: { matchLabels: object } }>; ports: Array<{ port: number }> }>;
}

const policies = listKind('NetworkPolicy').map(({ metadata, spec }) => ({
  name: metadata.name,
  ...(spec as unknown as Policy),
}));

function selects({ podSelector }: Policy, labels: Record<string, string>): boolean {
  const { matchLabels = {}, matchExpressions = [] } = podSelector;
  return (
    Object.entries(matchLabels).every(([name, value]) => labels[name] === value) &&
    matchExpressions.every(({ key, values }) => values.includes(labels[key] ?? ''))
  );
}

/** The ports on which a workload may be reached, or may reach others. */
function openPorts(name: string, way: 'ingress' | 'egress'): number[] {
  const own = policies.filter((policy) => selects(policy, podOf(name).labels));
  expect(
    own.some(({ policyTypes, ingress, egress }) => policyTypes.length === 2 && !ingress && !egress),
    name,
  ).toBe(true);
  const rules = own.flatMap((policy): Array<{ ports: Array<{ port: number }> }> => policy[way] ?? []);
  return [...new Set(rules.flatMap(({ ports }) => ports.map(({ port }) => port)))].sort(
    (one, other) => one - other,
  );
}

describe('the network policies', () => {
  it.each([
    ['agent-worker', { ingress: [9465], egress: [53, 443, 5432, 7400] }],
    ['agent-api', { ingress: [8080, 9465], egress: [53, 5432] }],
    ['agent-remote', { ingress: [7400, 9465], egress: [53, 443] }],
    ['agent-migrate', { ingress: [], egress: [53, 5432] }],
  ])('let %s do what it needs, and nothing else', (name, { ingress, egress }) => {
    expect({ ingress: openPorts(name, 'ingress'), egress: openPorts(name, 'egress') }).toEqual({
      ingress,
      egress,
    });
  });

  it('let no rule be without a place or a port', () => {
    for (const { name, ingress = [], egress = [] } of policies) {
      for (const { from, ports } of ingress)
        expect([from.length, ports.length].every(Boolean), name).toBe(true);
      for (const { to, ports } of egress) expect([to.length, ports.length].every(Boolean), name).toBe(true);
    }
  });
});

describe('the reader of YAML', () => {
  it('reads what the manifests have, and refuses the rest', () => {
    const text =
      'a: 1\nb:\n  - c: "2"\n    d: [x, \'y\']\n  - e\nf: |-\n  g:\n    h\n---\n# nothing\n---\ni:\nj: true\n';
    expect(readYaml(text)).toEqual([
      { a: 1, b: [{ c: '2', d: ['x', 'y'] }, 'e'], f: 'g:\n  h' },
      { i: null, j: true },
    ]);
    for (const wrong of [
      'a: &b 1',
      'a: *b',
      'a: {b: 1}',
      "a: 'b''c'",
      'a: 1\na: 2',
      'a: 1 # one',
      'a: [\n  1]',
    ])
      expect(() => readYaml(wrong), wrong).toThrow();
  });
});
