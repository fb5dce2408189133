/** A member of an interface or a class. */
export interface DeclaredMember {
  doc: string | undefined;
  group: string;
  kind: 'method' | 'property' | 'other';
  /** Of a method: each as it is written. */
  parameters?: string[];
  type?: string;
}

/** What a source file exports under a name. */
export interface Declaration {
  kind: string;
  doc: string | undefined;
  members: Map<string, DeclaredMember> | undefined;
  parents: string[];
}

export function readDeclarations(path: string): Map<string, Declaration>;
