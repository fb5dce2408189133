-- Two rankings, by words and by meaning, fused by reciprocal rank: a guideline scores 1/(60 + place) in each.
-- The distance of vectors is exact, which takes milliseconds for thousands of texts; for many more there is vector_top_k.
WITH
  by_words AS MATERIALIZED (
    SELECT rowid AS number, bm25(words, 4, 1, 2, 1) AS distance FROM words WHERE words MATCH :words
  ),
  by_meaning AS MATERIALIZED (
    SELECT number, vector_distance_cos(embedding, vector32(:vector)) AS distance FROM guidelines
  ),
  places AS (
    SELECT number, :wordWeight AS weight, row_number() OVER (ORDER BY distance) AS place FROM by_words
    UNION ALL
    SELECT number, 1 - :wordWeight, row_number() OVER (ORDER BY distance) FROM by_meaning
  )
SELECT id, title, section, date, action, text
FROM places JOIN guidelines USING (number)
WHERE place <= 20
GROUP BY number
HAVING sum(weight) > 0
ORDER BY sum(weight / (60.0 + place)) DESC, id
LIMIT :limit;
