import { FUNCTIONS } from './functions.ts';

/** A step from one version of the schema to the next. Never changed once released: later versions add steps. */
export interface Migration {
  readonly version: number;
  readonly sql: string;
}

/**
 * New words are collected up to this size before they are sorted into the index. More is faster to write, and slower to
 * search until then.
 */
const PENDING_KB = 8192;

/**
 * Tables. Every key starts with team and project. `record` is partitioned by the record's own time: a record that is
 * pushed again has the same time, and therefore meets its former self in the same partition.
 */
const TABLES = `
CREATE TABLE yore.team (
  team text COLLATE "C" PRIMARY KEY, name text NOT NULL, created_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE yore.member (
  role name PRIMARY KEY, team text COLLATE "C" NOT NULL REFERENCES yore.team, author text COLLATE "C" NOT NULL, name text,
  joined_at timestamptz NOT NULL DEFAULT now(), removed_at timestamptz, UNIQUE (team, author)
);
CREATE TABLE yore.machine (
  team text COLLATE "C" NOT NULL, author text COLLATE "C" NOT NULL, machine text COLLATE "C" NOT NULL, token text NOT NULL,
  PRIMARY KEY (team, author, machine)
);
CREATE TABLE yore.project (
  team text COLLATE "C" NOT NULL, project text COLLATE "C" NOT NULL, number bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  last_seq bigint NOT NULL DEFAULT 0, PRIMARY KEY (team, project)
);
CREATE TABLE yore.record (
  team text COLLATE "C" NOT NULL, project text COLLATE "C" NOT NULL, author text COLLATE "C" NOT NULL,
  session text COLLATE "C" NOT NULL, log text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL,
  at timestamptz NOT NULL, seq bigint NOT NULL, machine text COLLATE "C" NOT NULL, kind text COLLATE "C" NOT NULL,
  body text NOT NULL, words tsvector NOT NULL,
  PRIMARY KEY (team, project, author, session, log, id, at)
) PARTITION BY RANGE (at);
CREATE INDEX record_by_seq ON yore.record (team, project, seq);
CREATE INDEX record_by_time ON yore.record (team, project, at);
CREATE INDEX record_words ON yore.record USING gin (words) WITH (gin_pending_list_limit = ${PENDING_KB});
CREATE TABLE yore.record_other PARTITION OF yore.record DEFAULT;
CREATE TABLE yore.session (
  team text COLLATE "C" NOT NULL, project text COLLATE "C" NOT NULL, author text COLLATE "C" NOT NULL,
  session text COLLATE "C" NOT NULL, first_at timestamptz NOT NULL, last_at timestamptz NOT NULL, records bigint NOT NULL,
  PRIMARY KEY (team, project, author, session)
);
CREATE INDEX session_by_time ON yore.session (team, project, last_at DESC);
CREATE TABLE yore.term (
  team text COLLATE "C" NOT NULL, project text COLLATE "C" NOT NULL, term text COLLATE "C" NOT NULL,
  PRIMARY KEY (team, project, term)
);
CREATE TABLE yore.lesson (
  team text COLLATE "C" NOT NULL, project text COLLATE "C" NOT NULL, author text COLLATE "C" NOT NULL,
  machine text COLLATE "C" NOT NULL, kind text COLLATE "C" NOT NULL, key text COLLATE "C" NOT NULL,
  at timestamptz NOT NULL, body text NOT NULL, PRIMARY KEY (team, project, author, machine, kind, key)
);
CREATE INDEX lesson_by_time ON yore.lesson (team, project, kind, at DESC);
CREATE TABLE yore.forgotten (
  team text COLLATE "C" NOT NULL, project text COLLATE "C" NOT NULL, author text COLLATE "C" NOT NULL,
  session text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL, until timestamptz NOT NULL,
  PRIMARY KEY (team, project, author, session, id)
);
`;

/** The opclass is qualified because the extension may be in any schema. */
const TRIGRAMS = `
DO $$
DECLARE place text;
BEGIN
  SELECT nspname INTO place FROM pg_extension JOIN pg_namespace ON pg_namespace.oid = extnamespace
    WHERE extname = 'pg_trgm';
  IF place IS NULL THEN
    CREATE EXTENSION pg_trgm WITH SCHEMA yore;
    place := 'yore';
  END IF;
  EXECUTE format('CREATE INDEX term_pieces ON yore.term USING gin (term %I.gin_trgm_ops)', place);
END $$;
`;

/** What a member's role may do: call these functions, and read the rows of its own team. */
const RIGHTS = `
REVOKE ALL ON SCHEMA yore FROM PUBLIC;
REVOKE ALL ON ALL TABLES IN SCHEMA yore FROM PUBLIC;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA yore FROM PUBLIC;
ALTER TABLE yore.team ENABLE ROW LEVEL SECURITY;
ALTER TABLE yore.member ENABLE ROW LEVEL SECURITY;
ALTER TABLE yore.machine ENABLE ROW LEVEL SECURITY;
ALTER TABLE yore.lesson ENABLE ROW LEVEL SECURITY;
ALTER TABLE yore.project ENABLE ROW LEVEL SECURITY;
ALTER TABLE yore.record ENABLE ROW LEVEL SECURITY;
ALTER TABLE yore.record_other ENABLE ROW LEVEL SECURITY;
ALTER TABLE yore.session ENABLE ROW LEVEL SECURITY;
ALTER TABLE yore.term ENABLE ROW LEVEL SECURITY;
ALTER TABLE yore.forgotten ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_team ON yore.record FOR SELECT USING (team = (SELECT yore.my_team()));
CREATE POLICY own_team ON yore.session FOR SELECT USING (team = (SELECT yore.my_team()));
CREATE POLICY own_team ON yore.project FOR SELECT USING (team = (SELECT yore.my_team()));
CREATE POLICY own_name ON yore.member FOR SELECT USING (team = (SELECT yore.my_team()));
`;

/** Grants of a member's role, run when it is created. */
export const MEMBER_GRANTS = `
GRANT USAGE ON SCHEMA yore TO %I;
GRANT SELECT ON yore.migration, yore.record, yore.session, yore.project TO %I;
GRANT SELECT (team, author, name) ON yore.member TO %I;
GRANT EXECUTE ON FUNCTION yore.my_team, yore.me, yore.whoami, yore.members, yore.check_in, yore.continue_as, yore.set_name, yore.leave,
  yore.prepare_month, yore.open_project, yore.push, yore.tidy, yore.last_seq, yore.forget, yore.search, yore.words_like, yore.publish,
  yore.failures, yore.knowledge TO %I;
`;

/** All migrations, in order. */
export const MIGRATIONS: readonly Migration[] = [{ version: 1, sql: [TABLES, TRIGRAMS, FUNCTIONS, RIGHTS].join('\n') }];

/** The version of the schema that this yore works with. */
export const TEAM_SCHEMA_VERSION: number = MIGRATIONS.at(-1)?.version ?? 0;
