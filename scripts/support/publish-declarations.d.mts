export function publishedPath(path: string): string;
export function publishDeclarations(emitted: string, target: string): void;
export function rewriteSpecifiers(path: string, text: string): string;
