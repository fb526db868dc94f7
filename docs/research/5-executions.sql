SELECT owner, side, count(*) AS executions, sum(sz) AS size, sum(px * sz) AS notional
FROM executions GROUP BY owner, side ORDER BY notional DESC, owner, side
