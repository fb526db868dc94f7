WITH replaced AS (
  SELECT gone.owner, min(again.time_ms) - gone.time_ms AS after_ms
  FROM changes gone JOIN changes again
    ON again.kind = 'insert' AND again.owner = gone.owner AND again.side = gone.side AND again.px = gone.px
   AND (again.height, again.n) > (gone.height, gone.n) AND again.time_ms <= gone.time_ms + 1000
  WHERE gone.kind = 'remove' AND gone.status IS DISTINCT FROM 'filled'
  GROUP BY gone.owner, gone.oid, gone.time_ms
)
SELECT owner, count(*) AS replaced, quantile_disc(after_ms, 0.5) AS median_ms FROM replaced
GROUP BY owner ORDER BY replaced DESC, owner
