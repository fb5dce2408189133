export function publishedManifest(manifest: object): Record<string, unknown>;
export function stagePackage(folder: string): void;
export function packPackage(target: string): string;
