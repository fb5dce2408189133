-- The tables of the nightly job: orders, what reports have cost, and the nights that are done.
CREATE TABLE IF NOT EXISTS orders (tenant TEXT NOT NULL, day TEXT NOT NULL, product TEXT NOT NULL, cents INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS costs (tenant TEXT NOT NULL, night TEXT NOT NULL, usd REAL NOT NULL);
CREATE TABLE IF NOT EXISTS nights (night TEXT PRIMARY KEY);
