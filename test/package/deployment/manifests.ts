// The Kubernetes manifests of the template `cluster`, as objects: as they are, and with the component `remote`.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../project.js';
import { readYaml } from './read-yaml.js';

export const TEMPLATE = join(PROJECT_ROOT, 'templates', 'cluster');
const FOLDER = join(TEMPLATE, 'deploy', 'kubernetes');

export interface Container {
  name: string;
  image: string;
  args: string[];
  env?: Array<{ name: string; value: string }>;
  envFrom?: Array<{ configMapRef?: { name: string }; secretRef?: { name: string } }>;
  ports?: Array<{ name: string; containerPort: number }>;
  securityContext: Record<string, unknown>;
  resources: Record<'requests' | 'limits', Record<string, string>>;
  volumeMounts?: Array<{ name: string; mountPath: string; readOnly?: boolean }>;
  lifecycle?: { preStop?: { exec?: { command: string[] } } };
  [probe: string]: unknown;
}

export interface PodSpec {
  containers: Container[];
  volumes?: Array<{ name: string; emptyDir?: { sizeLimit?: string }; secret?: { secretName: string } }>;
  securityContext: Record<string, unknown>;
  terminationGracePeriodSeconds?: number;
  serviceAccountName: string;
  automountServiceAccountToken: boolean;
}

/** Any object of the manifests. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Record<string, string> };
  spec?: Record<string, unknown>;
  data?: Record<string, string>;
  stringData?: Record<string, string>;
}

interface Kustomization {
  resources: string[];
}

/** The objects of one file. */
export function readManifests(file: string): Manifest[] {
  return readYaml(readFileSync(join(FOLDER, file), 'utf8')) as unknown as Manifest[];
}

/** The files that a kustomization names, all of which are there. */
function listResources(folder = '.'): string[] {
  const [kustomization] = readYaml(readFileSync(join(FOLDER, folder, 'kustomization.yaml'), 'utf8'));
  const { resources } = kustomization as unknown as Kustomization;
  for (const file of resources)
    if (!existsSync(join(FOLDER, folder, file))) throw new Error(`There is no ${file}`);
  return resources.map((file) => join(folder, file));
}

/** All objects, those of the component `remote` among them. */
export const MANIFESTS: readonly Manifest[] = [...listResources(), ...listResources('remote')].flatMap(
  (file) => readManifests(file),
);

/** What runs pods, by name. */
export const WORKLOADS = new Map(
  MANIFESTS.flatMap((manifest) => {
    const template = manifest.spec?.['template'] as
      { metadata: Manifest['metadata']; spec: PodSpec } | undefined;
    return template
      ? [
          [
            manifest.metadata.name,
            { manifest, labels: template.metadata.labels ?? {}, pod: template.spec },
          ] as const,
        ]
      : [];
  }),
);

/** The objects of a kind. */
export function listKind(kind: string): Manifest[] {
  return MANIFESTS.filter((manifest) => manifest.kind === kind);
}
