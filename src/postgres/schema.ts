/** A step from one version of the schema to the next. Never changed once released: later versions add steps. */
export interface Migration {
  readonly version: number;
  readonly sql: string;
}

/** SQLSTATE of the errors that the functions below raise. */
export const NOT_A_MEMBER = 'YO001';

/** Months of partitions on each side of the present that a push may create. Other times go to the default partition. */
const PARTITION_MONTHS = 120;

/**
 * Tables. Every key starts with team and project. `record` is partitioned by the record's own time: a record that is
 * pushed again has the same time, and therefore meets its former self in the same partition.
 */
const TABLES = `
CREATE TABLE yore.team (
  team text PRIMARY KEY, name text NOT NULL, created_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE yore.member (
  role name PRIMARY KEY, team text NOT NULL REFERENCES yore.team, author text NOT NULL, name text,
  joined_at timestamptz NOT NULL DEFAULT now(), removed_at timestamptz, UNIQUE (team, author)
);
CREATE TABLE yore.project (
  team text NOT NULL, project text NOT NULL, number bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  last_seq bigint NOT NULL DEFAULT 0, PRIMARY KEY (team, project)
);
CREATE TABLE yore.record (
  team text NOT NULL, project text NOT NULL, author text NOT NULL, session text NOT NULL, log text NOT NULL,
  id text NOT NULL, at timestamptz NOT NULL, seq bigint NOT NULL, machine text NOT NULL, kind text NOT NULL,
  body text NOT NULL, words tsvector NOT NULL,
  PRIMARY KEY (team, project, author, session, log, id, at)
) PARTITION BY RANGE (at);
CREATE INDEX record_by_seq ON yore.record (team, project, seq);
CREATE INDEX record_by_time ON yore.record (team, project, at);
CREATE INDEX record_words ON yore.record USING gin (words);
CREATE TABLE yore.record_other PARTITION OF yore.record DEFAULT;
CREATE TABLE yore.session (
  team text NOT NULL, project text NOT NULL, author text NOT NULL, session text NOT NULL,
  first_at timestamptz NOT NULL, last_at timestamptz NOT NULL, records bigint NOT NULL,
  PRIMARY KEY (team, project, author, session)
);
CREATE INDEX session_by_time ON yore.session (team, project, last_at DESC);
CREATE TABLE yore.term (
  team text NOT NULL, project text NOT NULL, term text COLLATE "C" NOT NULL, PRIMARY KEY (team, project, term)
);
CREATE TABLE yore.forgotten (
  team text NOT NULL, project text NOT NULL, author text NOT NULL, session text NOT NULL, id text NOT NULL,
  until timestamptz NOT NULL, PRIMARY KEY (team, project, author, session, id)
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

/** Functions run as their owner. Each finds the team of whoever is logged in, and touches no other. */
const DEFINER = 'SECURITY DEFINER SET search_path = pg_catalog, yore, pg_temp';

const MEMBERSHIP = `
CREATE FUNCTION yore.my_team() RETURNS text LANGUAGE sql STABLE ${DEFINER} AS $$
  SELECT team FROM yore.member WHERE role = session_user AND removed_at IS NULL
$$;
CREATE FUNCTION yore.me() RETURNS yore.member LANGUAGE plpgsql STABLE ${DEFINER} AS $$
DECLARE found yore.member;
BEGIN
  SELECT * INTO found FROM yore.member WHERE role = session_user AND removed_at IS NULL;
  IF found.team IS NULL THEN RAISE EXCEPTION 'not a member' USING ERRCODE = '${NOT_A_MEMBER}'; END IF;
  RETURN found;
END $$;
CREATE FUNCTION yore.whoami() RETURNS TABLE (team text, team_name text, author text, name text, members bigint)
LANGUAGE sql STABLE ${DEFINER} AS $$
  SELECT t.team, t.name, m.author, m.name,
    (SELECT count(*) FROM yore.member o WHERE o.team = t.team AND o.removed_at IS NULL)
  FROM yore.me() m JOIN yore.team t ON t.team = m.team
$$;
CREATE FUNCTION yore.set_name(new_name text) RETURNS void LANGUAGE sql ${DEFINER} AS $$
  UPDATE yore.member SET name = left(new_name, 80) WHERE role = (SELECT role FROM yore.me())
$$;
CREATE FUNCTION yore.leave() RETURNS void LANGUAGE sql ${DEFINER} AS $$
  UPDATE yore.member SET removed_at = now() WHERE role = (SELECT role FROM yore.me())
$$;
`;

const PARTITIONS = `
CREATE FUNCTION yore.prepare_month(moment timestamptz) RETURNS void LANGUAGE plpgsql ${DEFINER} AS $$
DECLARE
  first timestamptz := date_trunc('month', moment, 'UTC');
  next timestamptz := first + interval '1 month';
  partition text := 'record_' || to_char(first AT TIME ZONE 'UTC', 'YYYY_MM');
BEGIN
  PERFORM yore.me();
  IF abs(extract(epoch FROM now() - first)) > ${PARTITION_MONTHS} * 2678400::bigint
    OR to_regclass('yore.' || partition) IS NOT NULL THEN RETURN; END IF;
  PERFORM pg_advisory_xact_lock(hashtext('yore.prepare_month'));
  IF to_regclass('yore.' || partition) IS NOT NULL THEN RETURN; END IF;
  EXECUTE format('CREATE TABLE yore.%I PARTITION OF yore.record FOR VALUES FROM (%L) TO (%L)', partition, first, next);
  EXECUTE format('ALTER TABLE yore.%I ENABLE ROW LEVEL SECURITY', partition);
EXCEPTION WHEN check_violation THEN
  NULL; -- Records of this month are in the default partition already, and stay there.
END $$;
`;

const PUSH = `
CREATE FUNCTION yore.open_project(wanted text) RETURNS bigint LANGUAGE plpgsql ${DEFINER} AS $$
DECLARE
  member yore.member := yore.me();
  known bigint;
BEGIN
  SELECT number INTO known FROM yore.project WHERE team = member.team AND project = wanted;
  IF known IS NULL THEN
    INSERT INTO yore.project (team, project) VALUES (member.team, wanted) ON CONFLICT DO NOTHING;
    SELECT number INTO known FROM yore.project WHERE team = member.team AND project = wanted;
  END IF;
  RETURN known;
END $$;
CREATE FUNCTION yore.push(
  to_project text, from_machine text, logs text[], sessions text[], ids text[], times timestamptz[], kinds text[],
  bodies text[], terms text[], vocabulary text[]
) RETURNS bigint LANGUAGE plpgsql ${DEFINER} AS $$
DECLARE
  member yore.member := yore.me();
  place yore.project;
  added bigint;
  highest bigint;
BEGIN
  -- Whoever holds this row numbers records; it is released when they are committed.
  SELECT * INTO place FROM yore.project WHERE team = member.team AND project = to_project FOR UPDATE;
  WITH sent AS (
    SELECT DISTINCT ON (session, log, id, at) * FROM
      unnest(logs, sessions, ids, times, kinds, bodies, terms) WITH ORDINALITY
      AS sent (log, session, id, at, kind, body, words, n)
    ORDER BY session, log, id, at, n
  ), wanted AS (
    SELECT sent.*, row_number() OVER (ORDER BY n) AS k FROM sent
    WHERE NOT EXISTS (
      SELECT 1 FROM yore.forgotten f WHERE f.team = member.team AND f.project = to_project AND f.author = member.author
        AND f.session = sent.session AND f.id = '' AND sent.at <= f.until
    ) AND NOT EXISTS (
      SELECT 1 FROM yore.forgotten f WHERE f.team = member.team AND f.project = to_project AND f.author = member.author
        AND f.session = '' AND f.id = sent.id
    )
  ), stored AS (
    INSERT INTO yore.record (team, project, author, session, log, id, at, seq, machine, kind, body, words)
    SELECT member.team, to_project, member.author, session, log, id, at, place.last_seq + k, from_machine, kind, body,
      array_to_tsvector(string_to_array(words, E'\\n'))
    -- The key decides whether a record is new. Numbers of those that are not remain unused.
    FROM wanted ON CONFLICT DO NOTHING RETURNING session, at, seq
  ), counted AS (
    INSERT INTO yore.session AS s (team, project, author, session, first_at, last_at, records)
    SELECT member.team, to_project, member.author, session, min(at), max(at), count(*) FROM stored
    WHERE session <> '' GROUP BY session
    ON CONFLICT (team, project, author, session) DO UPDATE SET
      first_at = least(s.first_at, excluded.first_at), last_at = greatest(s.last_at, excluded.last_at),
      records = s.records + excluded.records
    RETURNING 1
  ), learned AS (
    INSERT INTO yore.term (team, project, term)
    SELECT DISTINCT member.team, to_project, word FROM unnest(vocabulary) word
    WHERE EXISTS (SELECT 1 FROM stored)
    ON CONFLICT DO NOTHING RETURNING 1
  )
  SELECT count(*), max(seq) INTO added, highest FROM stored;
  IF added > 0 THEN
    UPDATE yore.project SET last_seq = highest WHERE team = member.team AND project = to_project;
  END IF;
  RETURN added;
END $$;
CREATE FUNCTION yore.last_seq(of_project text) RETURNS bigint LANGUAGE sql STABLE ${DEFINER} AS $$
  SELECT coalesce((SELECT last_seq FROM yore.project WHERE team = (SELECT team FROM yore.me()) AND project = of_project), 0)
$$;
`;

const FORGET = `
CREATE FUNCTION yore.forget(
  of_project text, from_machine text, sessions text[], ids text[], everything boolean, until_time timestamptz
) RETURNS bigint LANGUAGE plpgsql ${DEFINER} AS $$
DECLARE
  member yore.member := yore.me();
  place yore.project;
  deleted bigint;
  gone text[];
BEGIN
  SELECT * INTO place FROM yore.project WHERE team = member.team AND project = of_project FOR UPDATE;
  IF everything AND place.project IS NOT NULL THEN
    -- Also what a machine recorded whose clock was ahead.
    SELECT sessions || coalesce(array_agg(session), '{}'), greatest(until_time, max(last_at)) INTO sessions, until_time
    FROM yore.session WHERE team = member.team AND project = of_project AND author = member.author;
  END IF;
  INSERT INTO yore.project (team, project) VALUES (member.team, of_project) ON CONFLICT DO NOTHING;
  INSERT INTO yore.forgotten AS f
    SELECT DISTINCT member.team, of_project, member.author, session, '', until_time FROM unnest(sessions) session
    UNION SELECT DISTINCT member.team, of_project, member.author, '', id, until_time FROM unnest(ids) id
  ON CONFLICT (team, project, author, session, id) DO UPDATE SET until = greatest(f.until, excluded.until);
  WITH dead AS (
    DELETE FROM yore.record WHERE team = member.team AND project = of_project AND author = member.author
      AND ((session = ANY (sessions) AND at <= until_time) OR id = ANY (ids))
    RETURNING words
  ), words AS (SELECT DISTINCT unnest(tsvector_to_array(words)) AS word FROM dead)
  SELECT (SELECT count(*) FROM dead), (SELECT array_agg(word) FROM words) INTO deleted, gone;
  -- Words that only the deleted records had are deleted from the vocabulary as well.
  DELETE FROM yore.term t USING unnest(gone) word
  WHERE t.team = member.team AND t.project = of_project
    AND t.term = substr(word, length(place.number::text) + 2)
    AND NOT EXISTS (
      SELECT 1 FROM yore.record r WHERE r.team = member.team AND r.project = of_project
        AND r.words @@ array_to_tsvector(ARRAY[word])::text::tsquery
    );
  DELETE FROM yore.session s WHERE s.team = member.team AND s.project = of_project AND s.author = member.author
    AND s.session = ANY (sessions) AND s.last_at <= until_time;
  UPDATE yore.project SET last_seq = last_seq + 1 WHERE team = member.team AND project = of_project
    RETURNING * INTO place;
  -- The deletion itself is part of the stream, so that every copy applies it.
  INSERT INTO yore.record VALUES (member.team, of_project, member.author, '', 'deletions', gen_random_uuid()::text, now(),
    place.last_seq, from_machine, 'deletion',
    json_build_object('sessions', sessions, 'ids', ids, 'until', until_time)::text, '');
  RETURN deleted;
END $$;
`;

const READ = `
CREATE FUNCTION yore.search(of_project text, query text, since timestamptz, until_time timestamptz, most integer)
RETURNS TABLE (author text, log text, body text) LANGUAGE plpgsql STABLE ${DEFINER} AS $$
DECLARE
  member yore.member := yore.me();
  last timestamptz := coalesce(until_time, 'infinity');
  first timestamptz;
  missing integer := most;
  found integer;
BEGIN
  -- The newest days first, so that common words do not make the server read all months.
  FOREACH first IN ARRAY ARRAY[now() - interval '7 days', now() - interval '30 days', now() - interval '120 days', '-infinity'] LOOP
    first := greatest(first, coalesce(since, '-infinity'));
    CONTINUE WHEN first > last;
    -- Planned for these very words: rare ones by their index, common ones by walking back in time.
    RETURN QUERY EXECUTE format(
      'SELECT author, log, body FROM yore.record WHERE team = %L AND project = %L AND words @@ %L::tsquery
         AND at >= %L AND at <= %L ORDER BY at DESC LIMIT %s',
      member.team, of_project, query, first, last, missing);
    GET DIAGNOSTICS found = ROW_COUNT;
    missing := missing - found;
    EXIT WHEN missing <= 0 OR first = '-infinity';
    last := first - interval '1 microsecond';
  END LOOP;
END $$;
CREATE FUNCTION yore.words_like(of_project text, patterns text[], most integer)
RETURNS TABLE (n integer, word text) LANGUAGE plpgsql STABLE ${DEFINER} AS $$
DECLARE member yore.member := yore.me();
BEGIN
  FOR i IN 1 .. cardinality(patterns) LOOP
    n := i;
    FOR word IN EXECUTE format(
      'SELECT term FROM yore.term WHERE team = %L AND project = %L AND term LIKE %L ORDER BY length(term), term LIMIT %s',
      member.team, of_project, patterns[i], most)
    LOOP RETURN NEXT; END LOOP;
  END LOOP;
END $$;
CREATE FUNCTION yore.failures(of_project text, since timestamptz, resolved_within interval, most integer)
RETURNS TABLE (author text, log text, body text) LANGUAGE sql STABLE ${DEFINER} AS $$
  WITH failed AS (
    SELECT r.author, r.log, r.session, r.at, r.body FROM yore.record r
    WHERE r.team = (SELECT team FROM yore.me()) AND r.project = of_project AND r.at >= since AND r.kind = 'failure'
    ORDER BY r.at DESC LIMIT most
  ), followed AS (
    SELECT DISTINCT n.author, n.log, n.body FROM failed f CROSS JOIN LATERAL (
      SELECT r.author, r.log, r.body FROM yore.record r
      WHERE r.team = (SELECT team FROM yore.me()) AND r.project = of_project AND r.author = f.author
        AND r.session = f.session AND r.log = 'successes' AND r.at >= f.at AND r.at <= f.at + resolved_within
      ORDER BY r.at LIMIT 5
    ) n
  )
  SELECT f.author, f.log, f.body FROM failed f UNION ALL SELECT * FROM followed
$$;
`;

/** What a member's role may do: call these functions, and read the rows of its own team. */
const RIGHTS = `
REVOKE ALL ON SCHEMA yore FROM PUBLIC;
REVOKE ALL ON ALL TABLES IN SCHEMA yore FROM PUBLIC;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA yore FROM PUBLIC;
ALTER TABLE yore.team ENABLE ROW LEVEL SECURITY;
ALTER TABLE yore.member ENABLE ROW LEVEL SECURITY;
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
GRANT EXECUTE ON FUNCTION yore.my_team, yore.me, yore.whoami, yore.set_name, yore.leave, yore.prepare_month, yore.open_project,
  yore.push, yore.last_seq, yore.forget, yore.search, yore.words_like, yore.failures TO %I;
`;

/** All migrations, in order. */
export const MIGRATIONS: readonly Migration[] = [
  { version: 1, sql: [TABLES, TRIGRAMS, MEMBERSHIP, PARTITIONS, PUSH, FORGET, READ, RIGHTS].join('\n') },
];

/** The version of the schema that this yore works with. */
export const SCHEMA_VERSION: number = MIGRATIONS.at(-1)?.version ?? 0;
