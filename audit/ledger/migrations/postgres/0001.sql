CREATE TABLE migrations (
  number integer PRIMARY KEY,
  sha256 text NOT NULL
);
CREATE TABLE identity (
  one integer PRIMARY KEY CHECK (one = 1),
  key text NOT NULL
);
CREATE TABLE turn (
  one integer PRIMARY KEY CHECK (one = 1),
  epoch bigint NOT NULL,
  holder text NOT NULL,
  backend integer NOT NULL
);
INSERT INTO turn VALUES (1, 0, '', 0);
CREATE TABLE entries (
  number bigint PRIMARY KEY CHECK (number >= 0),
  body bytea NOT NULL,
  leaf bytea NOT NULL CHECK (octet_length(leaf) = 32)
);
CREATE TABLE checkpoints (
  size bigint PRIMARY KEY CHECK (size >= 0),
  note bytea NOT NULL,
  epoch bigint NOT NULL
);
CREATE TABLE cosignatures (
  size bigint NOT NULL REFERENCES checkpoints (size),
  public bytea NOT NULL CHECK (octet_length(public) = 32),
  line text NOT NULL,
  PRIMARY KEY (size, public)
);
CREATE TABLE state (
  key text COLLATE "C" PRIMARY KEY,
  value bytea NOT NULL
);

CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'ledger: % are not changed or deleted', TG_TABLE_NAME;
END $$;

CREATE FUNCTION entries_follow() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT backend FROM turn) <> pg_backend_pid() THEN
    RAISE EXCEPTION 'ledger: another session has the turn to append';
  END IF;
  IF NEW.number <> (SELECT coalesce(max(number) + 1, 0) FROM entries) THEN
    RAISE EXCEPTION 'ledger: entries have no gaps and are not replaced';
  END IF;
  RETURN NEW;
END $$;

CREATE FUNCTION checkpoints_follow() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT backend FROM turn) <> pg_backend_pid()
     OR NEW.epoch <> (SELECT epoch FROM turn) THEN
    RAISE EXCEPTION 'ledger: another session has the turn to append';
  END IF;
  IF NEW.size <> (SELECT coalesce(max(number) + 1, 0) FROM entries)
     OR NEW.size <= (SELECT coalesce(max(size), -1) FROM checkpoints) THEN
    RAISE EXCEPTION 'ledger: checkpoints grow and are not replaced';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER entries_follow BEFORE INSERT ON entries
  FOR EACH ROW EXECUTE FUNCTION entries_follow();
CREATE TRIGGER entries_no_change BEFORE UPDATE OR DELETE ON entries
  FOR EACH ROW EXECUTE FUNCTION refuse();
CREATE TRIGGER entries_no_truncate BEFORE TRUNCATE ON entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse();
CREATE TRIGGER checkpoints_follow BEFORE INSERT ON checkpoints
  FOR EACH ROW EXECUTE FUNCTION checkpoints_follow();
CREATE TRIGGER checkpoints_no_change BEFORE UPDATE OR DELETE ON checkpoints
  FOR EACH ROW EXECUTE FUNCTION refuse();
CREATE TRIGGER checkpoints_no_truncate BEFORE TRUNCATE ON checkpoints
  FOR EACH STATEMENT EXECUTE FUNCTION refuse();
CREATE TRIGGER cosignatures_no_change BEFORE UPDATE OR DELETE ON cosignatures
  FOR EACH ROW EXECUTE FUNCTION refuse();
CREATE TRIGGER cosignatures_no_truncate BEFORE TRUNCATE ON cosignatures
  FOR EACH STATEMENT EXECUTE FUNCTION refuse();
CREATE TRIGGER identity_no_change BEFORE UPDATE OR DELETE ON identity
  FOR EACH ROW EXECUTE FUNCTION refuse();
CREATE TRIGGER identity_no_truncate BEFORE TRUNCATE ON identity
  FOR EACH STATEMENT EXECUTE FUNCTION refuse();
CREATE TRIGGER migrations_no_change BEFORE UPDATE OR DELETE ON migrations
  FOR EACH ROW EXECUTE FUNCTION refuse();
CREATE TRIGGER migrations_no_truncate BEFORE TRUNCATE ON migrations
  FOR EACH STATEMENT EXECUTE FUNCTION refuse();
