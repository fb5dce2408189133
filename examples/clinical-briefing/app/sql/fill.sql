-- Takes over the guidelines, a list in JSON.
INSERT INTO guidelines
SELECT
  key, value ->> 'id', value ->> 'title', value ->> 'section',
  value ->> 'action', value ->> 'text', value ->> 'keywords'
FROM json_each(:entries);
