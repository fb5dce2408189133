export function publishedManifest(manifest: object): Record<string, unknown>;
export function packPackage(target: string): string;
