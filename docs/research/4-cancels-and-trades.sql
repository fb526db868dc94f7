SELECT owner,
       count(*) FILTER (kind = 'insert') AS placed,
       count(*) FILTER (kind = 'remove' AND status IS DISTINCT FROM 'filled') AS cancelled,
       (SELECT count(*) FROM executions e WHERE e.owner = c.owner) AS executions
FROM changes c GROUP BY owner ORDER BY placed DESC, owner
