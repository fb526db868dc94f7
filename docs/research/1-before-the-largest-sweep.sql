WITH sweep AS (
  SELECT height, time_ms, side, sum(sz) AS size
  FROM executions GROUP BY ALL ORDER BY size DESC, height LIMIT 1
)
SELECT c.owner,
       count(*) FILTER (c.kind = 'insert') AS placed,
       count(*) FILTER (c.kind = 'remove' AND c.status IS DISTINCT FROM 'filled') AS withdrawn,
       coalesce(sum(c.to_sz) FILTER (c.kind = 'insert'), 0)
         - coalesce(sum(c.from_sz) FILTER (c.kind = 'remove' AND c.status IS DISTINCT FROM 'filled'), 0) AS net_size
FROM changes c JOIN sweep s ON c.side = s.side AND c.time_ms BETWEEN s.time_ms - 5000 AND s.time_ms AND c.height < s.height
GROUP BY c.owner ORDER BY abs(net_size) DESC, c.owner LIMIT 10
