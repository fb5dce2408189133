export function publishedPath(path: string): string;
export function publishEmitted(emitted: string, target: string): void;
export function rewriteSpecifiers(path: string, text: string): string;
