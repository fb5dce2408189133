// The part of hoodiecrow-imap that is used here; the package has no types of its own.
declare module 'hoodiecrow-imap' {
  import type { Server } from 'node:net';

  interface Message {
    raw: string;
    flags?: string[];
    internaldate?: Date;
  }
  interface Folder {
    'special-use'?: string;
    uidvalidity?: number;
    messages?: Message[];
  }
  interface Options {
    plugins?: string[];
    users?: Record<string, { password: string }>;
    storage?: Record<string, Folder | { separator: string; folders: Record<string, Folder> }>;
  }
  interface ImapServer {
    readonly server: Server;
    listen(port: number, host: string, onListening: () => void): void;
    appendMessage(mailbox: string, flags: string[], internaldate: Date, raw: string): void;
  }
  export default function hoodiecrow(options: Options): ImapServer;
}
