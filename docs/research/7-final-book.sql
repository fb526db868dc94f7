WITH start AS (SELECT max(height) AS height FROM orders),
     sizes AS (
       SELECT oid, side, px, sz, o.height, -1 AS n FROM orders o JOIN start ON o.height = start.height
       UNION ALL
       SELECT oid, side, px, coalesce(to_sz, -1), c.height, n FROM changes c JOIN start ON c.height > start.height
     ),
     resting AS (
       SELECT oid, side, px, arg_max(sz, (height, n)) AS sz FROM sizes GROUP BY oid, side, px
     )
SELECT side, px, count(*) AS orders, sum(sz) AS size FROM resting WHERE sz >= 0
GROUP BY side, px ORDER BY side, CASE side WHEN 'A' THEN px ELSE -px END
