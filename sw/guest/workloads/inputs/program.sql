-- Input of the SQLite shell built by scripts/fetch-workloads: a shop's database that is filled, indexed, asked and
-- changed. SIZE is the number of orders.
CREATE TABLE customer(id INTEGER PRIMARY KEY, name TEXT, region TEXT, since INTEGER);
CREATE TABLE article(id INTEGER PRIMARY KEY, title TEXT, price INTEGER, stock INTEGER);
CREATE TABLE purchase(id INTEGER PRIMARY KEY, customer INTEGER, article INTEGER, day INTEGER, pieces INTEGER);

WITH RECURSIVE draw(n, x) AS (
  SELECT 1, 12345 UNION ALL
  SELECT n + 1, (x * 1103515245 + 12345) % 2147483648 FROM draw WHERE n < SIZE / 20 + 10)
INSERT INTO customer SELECT n, printf('%s-%05d', substr('annabertcarldoraemilfred', 1 + 4 * (x / 65536 % 6), 4), n),
  CASE x / 1024 % 4 WHEN 0 THEN 'north' WHEN 1 THEN 'east' WHEN 2 THEN 'south' ELSE 'west' END, x / 4096 % 3650 FROM draw;
WITH RECURSIVE draw(n, x) AS (
  SELECT 1, 777 UNION ALL
  SELECT n + 1, (x * 1103515245 + 12345) % 2147483648 FROM draw WHERE n < SIZE / 50 + 10)
INSERT INTO article SELECT n, 'article ' || hex(x), 50 + x / 65536 % 9950, x / 256 % 500 FROM draw;
WITH RECURSIVE draw(n, x) AS (
  SELECT 1, 42 UNION ALL
  SELECT n + 1, (x * 1103515245 + 12345) % 2147483648 FROM draw WHERE n < SIZE)
INSERT INTO purchase SELECT n, 1 + x / 65536 % (SIZE / 20 + 10), 1 + x / 8192 % (SIZE / 50 + 10), x / 4096 % 365,
  1 + x / 32768 % 9 FROM draw;

CREATE INDEX purchase_customer ON purchase(customer, day);
CREATE INDEX purchase_article ON purchase(article);
ANALYZE;

SELECT region, count(*), sum(price * pieces) AS turnover
  FROM purchase JOIN customer ON customer.id = customer JOIN article ON article.id = article
  GROUP BY region ORDER BY turnover DESC;
SELECT name, (SELECT max(day) FROM purchase WHERE customer = customer.id) AS last FROM customer
  WHERE name LIKE '%ann%' ORDER BY last DESC, name LIMIT 5;
SELECT title, total, rank FROM (
  SELECT title, sum(pieces) AS total, rank() OVER (ORDER BY sum(pieces) DESC, title) AS rank
  FROM article JOIN purchase ON purchase.article = article.id GROUP BY article.id) WHERE rank <= 5;
SELECT day / 30 AS month, count(DISTINCT customer), avg(pieces) FROM purchase GROUP BY month ORDER BY month;
SELECT count(*) FROM customer AS one WHERE EXISTS (
  SELECT 1 FROM purchase WHERE customer = one.id AND pieces > 8 AND day BETWEEN 100 AND 200);

BEGIN;
UPDATE article SET stock = stock - (SELECT coalesce(sum(pieces), 0) FROM purchase WHERE article = article.id AND day < 30);
DELETE FROM purchase WHERE day < 30 AND pieces = 1;
INSERT INTO purchase SELECT id + SIZE, customer, article, 365, pieces FROM purchase WHERE day > 350;
COMMIT;
SELECT count(*), min(stock), sum(stock) FROM article;
SELECT group_concat(region || ':' || n, ' ') FROM (
  SELECT region, count(*) AS n FROM customer JOIN purchase ON customer = customer.id WHERE day = 365
  GROUP BY region ORDER BY region);
SELECT json_group_array(json_object('customer', customer, 'pieces', pieces))
  FROM (SELECT customer, sum(pieces) AS pieces FROM purchase GROUP BY customer ORDER BY pieces DESC, customer LIMIT 3);
PRAGMA integrity_check;
