CREATE TABLE migrations (
  number INTEGER PRIMARY KEY,
  sha256 TEXT NOT NULL
);
CREATE TABLE identity (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  key TEXT NOT NULL
);
CREATE TABLE entries (
  number INTEGER PRIMARY KEY CHECK (number >= 0),
  body BLOB NOT NULL CHECK (typeof(body) = 'blob'),
  leaf BLOB NOT NULL CHECK (typeof(leaf) = 'blob' AND length(leaf) = 32)
);
CREATE TABLE checkpoints (
  size INTEGER PRIMARY KEY CHECK (size >= 0),
  note BLOB NOT NULL CHECK (typeof(note) = 'blob')
);
CREATE TABLE cosignatures (
  size INTEGER NOT NULL REFERENCES checkpoints (size),
  public BLOB NOT NULL CHECK (typeof(public) = 'blob' AND length(public) = 32),
  line TEXT NOT NULL,
  PRIMARY KEY (size, public)
) WITHOUT ROWID;
CREATE TABLE state (
  key TEXT PRIMARY KEY,
  value BLOB NOT NULL CHECK (typeof(value) = 'blob')
) WITHOUT ROWID;

CREATE TRIGGER entries_follow BEFORE INSERT ON entries
WHEN NEW.number <> (SELECT coalesce(max(number) + 1, 0) FROM entries)
BEGIN SELECT raise(ABORT, 'entries have no gaps and are not replaced'); END;
CREATE TRIGGER entries_no_update BEFORE UPDATE ON entries
BEGIN SELECT raise(ABORT, 'entries are not changed'); END;
CREATE TRIGGER entries_no_delete BEFORE DELETE ON entries
BEGIN SELECT raise(ABORT, 'entries are not deleted'); END;

CREATE TRIGGER checkpoints_follow BEFORE INSERT ON checkpoints
WHEN NEW.size <> (SELECT coalesce(max(number) + 1, 0) FROM entries)
  OR NEW.size <= (SELECT coalesce(max(size), -1) FROM checkpoints)
BEGIN SELECT raise(ABORT, 'checkpoints grow and are not replaced'); END;
CREATE TRIGGER checkpoints_no_update BEFORE UPDATE ON checkpoints
BEGIN SELECT raise(ABORT, 'checkpoints are not changed'); END;
CREATE TRIGGER checkpoints_no_delete BEFORE DELETE ON checkpoints
BEGIN SELECT raise(ABORT, 'checkpoints are not deleted'); END;

CREATE TRIGGER cosignatures_no_update BEFORE UPDATE ON cosignatures
BEGIN SELECT raise(ABORT, 'cosignatures are not changed'); END;
CREATE TRIGGER cosignatures_no_delete BEFORE DELETE ON cosignatures
BEGIN SELECT raise(ABORT, 'cosignatures are not deleted'); END;
CREATE TRIGGER identity_no_update BEFORE UPDATE ON identity
BEGIN SELECT raise(ABORT, 'the identity is not changed'); END;
CREATE TRIGGER identity_no_delete BEFORE DELETE ON identity
BEGIN SELECT raise(ABORT, 'the identity is not deleted'); END;
CREATE TRIGGER migrations_no_update BEFORE UPDATE ON migrations
BEGIN SELECT raise(ABORT, 'migrations are not changed'); END;
CREATE TRIGGER migrations_no_delete BEFORE DELETE ON migrations
BEGIN SELECT raise(ABORT, 'migrations are not deleted'); END;
