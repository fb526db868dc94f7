SELECT 'gap' AS what, after AS from_height, before AS to_height, reason FROM gaps
UNION ALL
(SELECT 'quiet', lag(height) OVER w, height, (time_ms - lag(time_ms) OVER w)::VARCHAR || ' ms' FROM blocks
 WINDOW w AS (ORDER BY height) QUALIFY lag(height) OVER w IS NOT NULL
 ORDER BY time_ms - lag(time_ms) OVER w DESC LIMIT 5)
