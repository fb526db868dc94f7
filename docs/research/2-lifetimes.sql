WITH lives AS (
  SELECT born.owner, gone.time_ms - born.time_ms AS life_ms, gone.status
  FROM changes born JOIN changes gone ON gone.oid = born.oid AND gone.kind = 'remove' AND (gone.height, gone.n) > (born.height, born.n)
  WHERE born.kind = 'insert'
)
SELECT owner, count(*) AS orders, quantile_disc(life_ms, 0.5) AS median_ms, max(life_ms) AS longest_ms,
       count(*) FILTER (status = 'filled') AS filled
FROM lives GROUP BY owner ORDER BY orders DESC, owner
