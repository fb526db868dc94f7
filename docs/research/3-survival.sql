WITH lives AS (
  SELECT born.time_ms AS born_ms, min(gone.time_ms) AS gone_ms
  FROM changes born LEFT JOIN changes gone ON gone.oid = born.oid AND gone.kind = 'remove'
  WHERE born.kind = 'insert' GROUP BY born.oid, born.time_ms
)
SELECT age_ms, count(*) AS watched, count(*) FILTER (gone_ms IS NULL OR gone_ms - born_ms > age_ms) AS resting
FROM lives, unnest([100, 500, 1000, 5000, 10000, 60000]) AS ages(age_ms)
WHERE born_ms + age_ms <= (SELECT max(time_ms) FROM blocks)
GROUP BY age_ms ORDER BY age_ms
