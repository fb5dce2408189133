-- Version 1: chats, what was said in them, and tickets. Files of before there were versions have these tables already.
-- `unanswered` is the message that the agent works on, `call_key` the call that made a ticket: there is one for each.
CREATE TABLE IF NOT EXISTS chats (
  id TEXT PRIMARY KEY,
  title TEXT NOT NULL,
  unanswered TEXT
);
CREATE TABLE IF NOT EXISTS messages (
  number INTEGER PRIMARY KEY,
  chat TEXT NOT NULL REFERENCES chats (id),
  role TEXT NOT NULL CHECK (role IN ('person', 'agent', 'notice')),
  text TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS tickets (
  id INTEGER PRIMARY KEY,
  chat TEXT NOT NULL REFERENCES chats (id),
  call_key TEXT NOT NULL UNIQUE,
  title TEXT NOT NULL,
  description TEXT NOT NULL,
  kind TEXT NOT NULL,
  priority TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'done'))
);
