-- Something to report on for a tenant that has no orders yet: two weeks of a small shop, busier or quieter by its name.
INSERT INTO orders
SELECT :tenant, date('now', '-' || (n / (4 + length(:tenant))) || ' days'),
  'Article ' || char(65 + (n * n + unicode(:tenant)) % 6),
  400 + (n * n * length(:tenant) + n * unicode(:tenant) * 37) % (900 * length(:tenant))
FROM (WITH RECURSIVE count(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM count WHERE n < 300) SELECT n FROM count)
WHERE n < 14 * (4 + length(:tenant)) AND NOT EXISTS (SELECT 1 FROM orders WHERE tenant = :tenant);
