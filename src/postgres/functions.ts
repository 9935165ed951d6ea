/** SQLSTATE of the errors that the functions below raise. */
export const NOT_A_MEMBER = 'YO001';

/** Months of partitions on each side of the present that a push may create. Other times go to the default partition. */
const PARTITION_MONTHS = 120;

/** Memory for sorting collected words, so that each is looked up once. */
const PUSH_SETTINGS = "SET work_mem = '64MB' SET jit = off";

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
CREATE FUNCTION yore.members() RETURNS TABLE (author text, name text, joined_at timestamptz)
LANGUAGE sql STABLE ${DEFINER} AS $$
  SELECT author, name, joined_at FROM yore.member WHERE team = (SELECT team FROM yore.me()) AND removed_at IS NULL
  ORDER BY joined_at, author
$$;
CREATE FUNCTION yore.check_in(this_machine text, token_before text, token_after text) RETURNS boolean
LANGUAGE plpgsql ${DEFINER} AS $$
DECLARE member yore.member := yore.me();
BEGIN
  INSERT INTO yore.machine AS m VALUES (member.team, member.author, this_machine, token_after)
  ON CONFLICT (team, author, machine) DO UPDATE SET token = token_after WHERE m.token = token_before;
  RETURN FOUND;
END $$;
CREATE FUNCTION yore.continue_as(old_author text, old_machine text, old_token text) RETURNS boolean
LANGUAGE plpgsql ${DEFINER} AS $$
DECLARE
  member yore.member := yore.me();
  old_name text;
BEGIN
  -- The token is known to nobody but the machine.
  PERFORM 1 FROM yore.machine m WHERE m.team = member.team AND m.author = old_author AND m.machine = old_machine
    AND m.token = old_token FOR UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;
  DELETE FROM yore.member m WHERE m.team = member.team AND m.author = old_author RETURNING m.name INTO old_name;
  UPDATE yore.member m SET author = old_author, name = coalesce(m.name, old_name) WHERE m.role = member.role;
  RETURN true;
END $$;
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
) RETURNS bigint LANGUAGE plpgsql ${DEFINER} ${PUSH_SETTINGS} AS $$
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
CREATE FUNCTION yore.tidy() RETURNS void LANGUAGE plpgsql ${DEFINER} ${PUSH_SETTINGS} AS $$
BEGIN
  PERFORM yore.me();
  PERFORM gin_clean_pending_list(inhrelid) FROM pg_inherits WHERE inhparent = 'yore.record_words'::regclass;
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
  -- What was learned from them is published again by the next sync of the machine.
  DELETE FROM yore.lesson WHERE team = member.team AND project = of_project AND author = member.author
    AND (everything OR machine = from_machine);
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

/** Plans of searches are simple: what costs time is to choose among them, and to compile them. */
const READ_SETTINGS = 'SET jit = off SET max_parallel_workers_per_gather = 0 SET enable_seqscan = off';

/** Newest records that tell how common the words of a query are. */
const SAMPLE = 500;
/** Where so many times the sample should be enough, records are read one by one. */
const MAX_SAMPLES = 25;
/** Up to so many matches in the sample are few. */
const RARE = 4;
/** Each span of time that is searched is at most so many times as long as those before it, the first of them and others. */
const FIRST_REACH = 64;
const NEXT_REACH = 16;
/** Spans until everything is searched. */
const SPANS = 6;

/**
 * A search wants the newest matches. Common words are found by reading the newest records, others by the index of words,
 * which finds all matches in a span of time, in no order. How many of the newest records match says which is faster. The
 * index is asked for one span after the other, back in time, each so long that it should have what is missing, judging by
 * what was found until then.
 *
 * Most queries end with the beginning of a word (`open`), for which the index collects all records with any such word.
 * Where these are many, and the other words (`closed`) are rare, the index is asked for the latter, and what it finds is
 * checked.
 */
const SEARCH = `
CREATE FUNCTION yore.sample(
  scope text, wanted text, closed text, open text, first timestamptz, last timestamptz, OUT newest timestamptz,
  OUT oldest timestamptz, OUT n bigint, OUT matches bigint, OUT closed_matches bigint, OUT open_matches bigint
) LANGUAGE plpgsql STABLE ${READ_SETTINGS} SET enable_bitmapscan = off AS $$
BEGIN
  EXECUTE format(
    'SELECT max(at), min(at), count(*), count(*) FILTER (WHERE %s), count(*) FILTER (WHERE words @@ %L::tsquery),
       count(*) FILTER (WHERE words @@ %L::tsquery)
     FROM (
       SELECT at, kind, words FROM yore.record WHERE %s AND at > %L AND at <= %L ORDER BY at DESC LIMIT ${SAMPLE}
     ) newest',
    wanted, closed, open, scope, first, last) INTO newest, oldest, n, matches, closed_matches, open_matches;
END $$;
CREATE FUNCTION yore.read_newest(scope text, wanted text, first timestamptz, last timestamptz, most integer)
RETURNS TABLE (author text, log text, body text) LANGUAGE plpgsql STABLE ${READ_SETTINGS} SET enable_bitmapscan = off AS $$
BEGIN
  RETURN QUERY EXECUTE format(
    'SELECT author, log, body FROM yore.record WHERE %s AND at > %L AND at <= %L AND %s ORDER BY at DESC LIMIT %s',
    scope, first, last, wanted, most);
END $$;
CREATE FUNCTION yore.find_words(
  scope text, indexed text, wanted text, first timestamptz, last timestamptz, most integer
) RETURNS TABLE (author text, log text, body text) LANGUAGE plpgsql STABLE
${READ_SETTINGS} SET enable_indexscan = off SET enable_indexonlyscan = off AS $$
BEGIN
  RETURN QUERY EXECUTE format(
    'SELECT author, log, body FROM yore.record
     WHERE %s AND at > %L AND at <= %L AND words @@ %L::tsquery AND (%s) IS TRUE ORDER BY at DESC LIMIT %s',
    scope, first, last, indexed, wanted, most);
END $$;
CREATE FUNCTION yore.search(
  of_project text, closed text, open text, since timestamptz, until_time timestamptz, of_author text, of_session text,
  kinds text[], most integer
) RETURNS TABLE (author text, log text, body text) LANGUAGE plpgsql STABLE ${DEFINER} AS $$
DECLARE
  member yore.member := yore.me();
  scope text := format('team = %L AND project = %L', member.team, of_project)
    || CASE WHEN of_session IS NULL THEN '' ELSE format(' AND author = %L AND session = %L', of_author, of_session) END;
  query text := concat_ws(' & ', closed, open);
  wanted text := format('words @@ %L::tsquery', query) || CASE WHEN kinds IS NULL THEN '' ELSE format(' AND kind = ANY (%L)', kinds) END;
  -- Times after \`oldest\` up to \`last\` are still to be searched, those after \`first\` next.
  oldest timestamptz := coalesce(since - interval '1 microsecond', '-infinity');
  last timestamptz := coalesce(until_time, 'infinity');
  first timestamptz;
  sample record;
  reach float8;
  back interval;
  total integer := 0;
  found integer;
BEGIN
  sample := yore.sample(scope, wanted, closed, open, oldest, last);
  IF of_session IS NOT NULL OR sample.n < ${SAMPLE} THEN
    RETURN QUERY SELECT * FROM yore.read_newest(scope, wanted, oldest, last, most);
    RETURN;
  END IF;
  IF closed IS NOT NULL AND sample.closed_matches <= ${RARE} AND sample.open_matches > 2 * sample.closed_matches + ${RARE} THEN
    query := closed;
  END IF;
  FOR span IN 0 .. ${SPANS} LOOP
    IF span = 0 THEN
      -- Twice as far as should be enough. Reading ends with the last match that is wanted.
      reach := 2.0 * most / greatest(sample.matches, 1);
      IF reach > ${MAX_SAMPLES} THEN reach := 1; END IF;
      first := greatest(oldest, sample.newest - (sample.newest - sample.oldest) * greatest(reach, 1));
      IF sample.matches > 0 THEN
        RETURN QUERY SELECT * FROM yore.read_newest(scope, wanted, first, last, most);
      END IF;
    ELSE
      reach := CASE WHEN span = 1 THEN ${FIRST_REACH} ELSE ${NEXT_REACH} END;
      IF total > 0 THEN reach := least(reach, 0.5 + 1.5 * (most - total) / total); END IF;
      back := (sample.newest - last + interval '1 second') * reach;
      first := CASE WHEN span = ${SPANS} OR back > interval '100 years' THEN oldest ELSE greatest(oldest, last - back) END;
      RETURN QUERY SELECT * FROM yore.find_words(scope, query, wanted, first, last, most - total);
    END IF;
    GET DIAGNOSTICS found = ROW_COUNT;
    total := total + found;
    last := first;
    EXIT WHEN total >= most OR first = oldest;
  END LOOP;
END $$;
CREATE FUNCTION yore.words_like(of_project text, patterns text[], most integer)
RETURNS TABLE (n integer, word text) LANGUAGE plpgsql STABLE ${DEFINER} SET jit = off AS $$
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
`;

/** What machines have learned from their own records. Each replaces its own lessons, and nobody else's. */
const LESSONS = `
CREATE FUNCTION yore.publish(
  to_project text, from_machine text, kinds text[], keys text[], times timestamptz[], bodies text[]
) RETURNS void LANGUAGE plpgsql ${DEFINER} AS $$
DECLARE member yore.member := yore.me();
BEGIN
  DELETE FROM yore.lesson l WHERE l.team = member.team AND l.project = to_project AND l.author = member.author
    AND l.machine = from_machine
    AND NOT EXISTS (SELECT 1 FROM unnest(kinds, keys) AS kept (kind, key) WHERE kept.kind = l.kind AND kept.key = l.key);
  INSERT INTO yore.lesson AS l
    SELECT DISTINCT ON (kind, key) member.team, to_project, member.author, from_machine, kind, key, at, body
    FROM unnest(kinds, keys, times, bodies) AS sent (kind, key, at, body) ORDER BY kind, key, at DESC
  ON CONFLICT (team, project, author, machine, kind, key) DO UPDATE SET at = excluded.at, body = excluded.body
    WHERE l.body <> excluded.body OR l.at <> excluded.at;
END $$;
CREATE FUNCTION yore.failures(of_project text, since timestamptz, most integer)
RETURNS TABLE (author text, body text) LANGUAGE sql STABLE ${DEFINER} AS $$
  SELECT l.author, l.body FROM yore.lesson l
  WHERE l.team = (SELECT team FROM yore.me()) AND l.project = of_project AND l.kind = 'failure' AND l.at >= since
  ORDER BY l.at DESC LIMIT most
$$;
CREATE FUNCTION yore.knowledge(of_project text, most integer)
RETURNS TABLE (author text, kind text, body text) LANGUAGE sql STABLE ${DEFINER} AS $$
  SELECT l.author, l.kind, l.body FROM yore.lesson l
  WHERE l.team = (SELECT team FROM yore.me()) AND l.project = of_project AND l.kind IN ('avoid', 'practice')
  ORDER BY l.at DESC LIMIT most
$$;
`;

/** All functions of the schema. */
export const FUNCTIONS: string = [MEMBERSHIP, PARTITIONS, PUSH, FORGET, SEARCH, LESSONS].join('\n');
