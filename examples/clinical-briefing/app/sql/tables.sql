-- What the index holds: which texts and model it was made of, the texts with their words, and their vectors.
CREATE TABLE meta (fingerprint TEXT NOT NULL);
CREATE TABLE guidelines (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  title TEXT NOT NULL,
  section TEXT NOT NULL,
  action TEXT NOT NULL,
  text TEXT NOT NULL,
  keywords TEXT NOT NULL
);
CREATE TABLE vectors (number INTEGER NOT NULL REFERENCES guidelines, embedding F32_BLOB NOT NULL);
CREATE VIRTUAL TABLE words USING fts5(
  title, section, action, text, keywords,
  content='guidelines', content_rowid='number', tokenize='porter unicode61'
);
