-- Two rankings, by words and by meaning, fused by reciprocal rank: a guideline scores 1/(60 + place) in each. By meaning, it is
-- as near as its text or its keywords, whichever are nearer. The distance is exact, which takes milliseconds for thousands of texts.
WITH
  by_words AS MATERIALIZED (
    SELECT rowid AS number, bm25(words, 4, 1, 2, 1, 3) AS distance FROM words WHERE words MATCH :words
  ),
  by_meaning AS MATERIALIZED (
    SELECT number, min(vector_distance_cos(embedding, vector32(:vector))) AS distance FROM vectors GROUP BY number
  ),
  places AS (
    SELECT number, :wordWeight AS weight, row_number() OVER (ORDER BY distance) AS place FROM by_words
    UNION ALL
    SELECT number, 1 - :wordWeight, row_number() OVER (ORDER BY distance) FROM by_meaning
  )
SELECT id
FROM places JOIN guidelines USING (number)
WHERE place <= 20
GROUP BY number
HAVING sum(weight) > 0
ORDER BY sum(weight / (60.0 + place)) DESC, id
LIMIT :limit;
