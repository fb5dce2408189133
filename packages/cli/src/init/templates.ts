// The templates of `inboard init`: what each is for, and which folder of `templates` holds it in which language.

/** A folder of `templates`. */
export type TemplateFolder = 'agent-ts' | 'agent-js' | 'chat' | 'cluster' | 'tools';

/** What a user chooses between. Every template exists in TypeScript. */
interface TemplateChoice {
  summary: string;
  typescript: TemplateFolder;
  javascript?: TemplateFolder;
}

export type TemplateName = 'agent' | 'chat' | 'cluster' | 'tools';

/** The first one is the default. */
export const TEMPLATES: Readonly<Record<TemplateName, TemplateChoice>> = {
  agent: {
    summary: 'a program with an agent and its tools',
    typescript: 'agent-ts',
    javascript: 'agent-js',
  },
  chat: {
    summary: 'a server and a page with useChat, where people approve calls',
    typescript: 'chat',
  },
  cluster: {
    summary: 'workers, an API, a container file, Kubernetes manifests',
    typescript: 'cluster',
  },
  tools: {
    summary: 'one tools file, used in process, over stdio and over HTTP',
    typescript: 'tools',
  },
};

export const TEMPLATE_NAMES = Object.keys(TEMPLATES) as TemplateName[];

export function isTemplateName(name: string): name is TemplateName {
  return Object.hasOwn(TEMPLATES, name);
}
