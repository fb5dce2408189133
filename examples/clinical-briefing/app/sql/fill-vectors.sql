-- The vectors of each of them, from the same list.
INSERT INTO vectors
SELECT entry.key, vector32(vector.value)
FROM json_each(:entries) AS entry, json_each(entry.value, '$.vectors') AS vector;
