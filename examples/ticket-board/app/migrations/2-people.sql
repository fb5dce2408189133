-- Version 2: who may sign in, the questions under review (until now files in `approvals`), comments, words to search, and
-- the audit trail. What is older has no author, turn or history.

-- Somebody who has left gets the role 'none': the name stays taken, so that the trail means one person by it.
CREATE TABLE users (
  name TEXT PRIMARY KEY COLLATE NOCASE,
  password TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('none', 'member', 'reviewer', 'admin')),
  demo INTEGER NOT NULL DEFAULT 0
);
-- `token` is the hash of what the browser has, `until` in milliseconds. Who gets another password or role is signed out.
CREATE TABLE sign_ins (
  token TEXT PRIMARY KEY,
  user TEXT NOT NULL COLLATE NOCASE REFERENCES users (name),
  until INTEGER NOT NULL DEFAULT ((unixepoch() + 12 * 3600) * 1000)
);
CREATE TRIGGER user_changed AFTER UPDATE ON users BEGIN
  DELETE FROM sign_ins WHERE user = NEW.name;
END;
CREATE TRIGGER signed_in AFTER INSERT ON sign_ins BEGIN
  DELETE FROM sign_ins WHERE until < unixepoch() * 1000;
END;
-- Tries to sign in that have not succeeded. Those of the last quarter of an hour count.
CREATE TABLE tries (
  name TEXT NOT NULL COLLATE NOCASE,
  at INTEGER NOT NULL
);
-- The names that are closed for now.
CREATE VIEW closed AS
SELECT name FROM tries WHERE at > unixepoch() - 900 GROUP BY name HAVING count(*) >= 5;
CREATE TRIGGER tried AFTER INSERT ON tries BEGIN
  DELETE FROM tries WHERE at <= unixepoch() - 900;
END;

-- A turn is named by the number of the person's message that began it.
ALTER TABLE messages ADD COLUMN author TEXT;
ALTER TABLE tickets ADD COLUMN turn INTEGER REFERENCES messages (number);
ALTER TABLE tickets ADD COLUMN assignee TEXT REFERENCES users (name);
ALTER TABLE tickets ADD COLUMN changed_by TEXT;

-- What waits for a reviewer, under the key of the agent's call, and the answer: JSON, as Inboard gives both.
CREATE TABLE questions (
  id TEXT PRIMARY KEY,
  chat TEXT NOT NULL REFERENCES chats (id),
  turn INTEGER REFERENCES messages (number),
  question TEXT NOT NULL,
  answer TEXT,
  stopped_by TEXT
);

-- What the board shows of them: under review, or agreed and on its way to be a ticket. The agent may not have the answer yet,
-- or no CLI at the moment.
CREATE VIEW cards AS
SELECT
  id, chat, (SELECT title FROM chats WHERE chats.id = asked.chat) AS chat_title, turn, answer IS NOT NULL AS is_agreed, answer ->> 'by' AS by,
  input ->> 'title' AS title, input ->> 'description' AS description,
  input ->> 'kind' AS kind, input ->> 'priority' AS priority
FROM (SELECT *, coalesce(answer -> '$.result.updatedInput', question -> 'input') AS input FROM questions) AS asked
WHERE
  answer IS NULL
  OR answer ->> '$.result.behavior' = 'allow' AND NOT EXISTS (SELECT 1 FROM tickets WHERE call_key = asked.id)
ORDER BY question ->> 'askedAt';

-- The parts of what Inboard calls an approval: the question, and what an answer adds to it.
CREATE VIEW kept_questions AS
SELECT id, question, iif(answer IS NULL, '{}', json_object('answer', json(answer))) AS answer FROM questions;
CREATE VIEW shown_chats AS
SELECT id, title, id IN (SELECT chat FROM questions WHERE answer IS NULL) AS is_reviewed
FROM chats ORDER BY rowid DESC;

CREATE TABLE comments (
  number INTEGER PRIMARY KEY,
  ticket INTEGER NOT NULL REFERENCES tickets (id),
  author TEXT NOT NULL,
  at INTEGER NOT NULL,
  text TEXT NOT NULL
);

CREATE VIEW shown_tickets AS
SELECT *, (SELECT count(*) FROM comments WHERE ticket = tickets.id) AS comments FROM tickets;

CREATE VIRTUAL TABLE words USING fts5 (ticket UNINDEXED, text);
INSERT INTO words SELECT id, title || ' ' || description FROM tickets;
CREATE TRIGGER ticket_words AFTER INSERT ON tickets BEGIN
  INSERT INTO words VALUES (NEW.id, NEW.title || ' ' || NEW.description);
END;
CREATE TRIGGER comment_words AFTER INSERT ON comments BEGIN
  INSERT INTO words VALUES (NEW.ticket, NEW.text);
END;

-- The audit trail. The database writes it, in the transaction of the change itself, so that no code can forget to. `who` is
-- null for the agent; `input` is the ticket as it was proposed or agreed, `reason` what the reviewer said.
CREATE TABLE audit (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL DEFAULT (CAST(unixepoch('subsec') * 1000 AS INTEGER)),
  who TEXT,
  what TEXT NOT NULL CHECK (
    what IN ('proposed', 'approved', 'rejected', 'withdrawn', 'created', 'done', 'reopened', 'assigned')
  ),
  chat TEXT NOT NULL REFERENCES chats (id),
  turn INTEGER REFERENCES messages (number),
  call_key TEXT NOT NULL,
  ticket INTEGER REFERENCES tickets (id),
  input TEXT,
  reason TEXT
);
CREATE INDEX audit_by_call ON audit (call_key);
-- With the newest title that was proposed or agreed.
CREATE VIEW history AS
SELECT
  audit.*,
  (
    SELECT same.input ->> 'title' FROM audit AS same
    WHERE same.call_key = audit.call_key AND same.input IS NOT NULL
    ORDER BY same.number DESC LIMIT 1
  ) AS title
FROM audit;
CREATE TRIGGER audit_is_not_changed BEFORE UPDATE ON audit BEGIN
  SELECT RAISE (ABORT, 'The audit trail can only be added to.');
END;
CREATE TRIGGER audit_is_not_deleted BEFORE DELETE ON audit BEGIN
  SELECT RAISE (ABORT, 'The audit trail can only be added to.');
END;

CREATE TRIGGER question_asked AFTER INSERT ON questions BEGIN
  INSERT INTO audit (at, what, chat, turn, call_key, input) VALUES (
    CAST(NEW.question ->> 'askedAt' AS INTEGER), 'proposed', NEW.chat, NEW.turn, NEW.id, NEW.question -> 'input'
  );
END;
-- An answer of another program may come without a name; it is not the agent's.
CREATE TRIGGER question_answered AFTER UPDATE OF answer ON questions WHEN OLD.answer IS NULL BEGIN
  INSERT INTO audit (at, who, what, chat, turn, call_key, input, reason) VALUES (
    NEW.answer ->> 'answeredAt',
    coalesce(NEW.answer ->> 'by', 'unknown'),
    iif(NEW.answer ->> '$.result.behavior' = 'allow', 'approved', 'rejected'),
    NEW.chat, NEW.turn, NEW.id,
    iif(
      NEW.answer ->> '$.result.behavior' = 'allow',
      coalesce(NEW.answer -> '$.result.updatedInput', NEW.question -> 'input'),
      NULL
    ),
    nullif(coalesce(NEW.answer ->> '$.result.message', NEW.answer ->> '$.result.updatedInput.note'), '')
  );
END;
-- Nobody waits for it any more: without an answer, or approved and then stopped before there was a ticket.
CREATE TRIGGER question_withdrawn AFTER DELETE ON questions
WHEN
  OLD.answer IS NULL
  OR OLD.answer ->> '$.result.behavior' = 'allow' AND NOT EXISTS (SELECT 1 FROM tickets WHERE call_key = OLD.id)
BEGIN
  INSERT INTO audit (who, what, chat, turn, call_key)
  VALUES (OLD.stopped_by, 'withdrawn', OLD.chat, OLD.turn, OLD.id);
END;
CREATE TRIGGER ticket_created AFTER INSERT ON tickets BEGIN
  INSERT INTO audit (what, chat, turn, call_key, ticket)
  VALUES ('created', NEW.chat, NEW.turn, NEW.call_key, NEW.id);
END;
CREATE TRIGGER ticket_moved AFTER UPDATE OF status ON tickets WHEN NEW.status <> OLD.status BEGIN
  INSERT INTO audit (who, what, chat, turn, call_key, ticket) VALUES (
    NEW.changed_by, iif(NEW.status = 'done', 'done', 'reopened'), NEW.chat, NEW.turn, NEW.call_key, NEW.id
  );
END;
CREATE TRIGGER ticket_assigned AFTER UPDATE OF assignee ON tickets WHEN NEW.assignee IS NOT OLD.assignee BEGIN
  INSERT INTO audit (who, what, chat, turn, call_key, ticket, reason) VALUES (
    NEW.changed_by, 'assigned', NEW.chat, NEW.turn, NEW.call_key, NEW.id, coalesce(NEW.assignee, 'nobody')
  );
END;
