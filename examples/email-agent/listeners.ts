// What the agent does about new mail by itself: edit this list. The first listener that matches gets the mail.
import type { MailSummary } from './app/mailbox.ts';

export type Listener = {
  name: string;
  matches(mail: MailSummary): boolean;
  /** What the agent is told. It reads the mail itself, as something that others wrote. */
  prompt(mail: MailSummary): string;
};

export const listeners: Listener[] = [
  {
    name: 'Invoices',
    matches: ({ subject }) => /invoice|receipt/i.test(subject),
    prompt: ({ uid }) =>
      `File mail ${uid}: read it, say what is to be paid and when, and move it to Invoices.`,
  },
  {
    name: 'Questions',
    matches: ({ subject }) => subject.includes('?'),
    prompt: ({ uid }) => `Mail ${uid} asks something. Read it and draft a short, friendly reply.`,
  },
];
