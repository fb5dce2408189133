-- Takes over the guidelines, a list in JSON, each with its vector.
INSERT INTO guidelines
SELECT
  key, value ->> 'id', value ->> 'title', value ->> 'section', value ->> 'date',
  value ->> 'action', value ->> 'text', vector32(value ->> 'vector')
FROM json_each(:guidelines);
