// The part of the page's script that draws the sequence diagram: only the rows in view, arrows between lifelines.

/** Stands inside the page's script, whose names it uses. */
export const PAGE_SEQUENCE = String.raw`
  // The sequence diagram: one row for each event, lifelines down the side.
  var X = { tools: 140, host: 250, cli: 380 }, TEXT = 420;
  function place() {
    var narrow = $('rows').clientWidth < 760;
    X = narrow ? { tools: 112, host: 160, cli: 230 } : { tools: 150, host: 270, cli: 400 };
    TEXT = X.cli + 26;
    clear($('lanes'));
    [['Tools, callbacks', X.tools], ['Host', X.host], ['CLI', X.cli]].forEach(function (pair) {
      var label = el('span', 'lane', narrow && pair[0] !== 'Host' ? pair[0].slice(0, 5) : pair[0]);
      label.style.left = pair[1] + 'px';
      $('lanes').appendChild(label);
    });
    [['time', 46], ['event', TEXT]].forEach(function (pair) {
      var label = el('span', '', pair[0]);
      label.style.left = pair[1] + 'px';
      $('lanes').appendChild(label);
    });
  }
  // A question and its answer, as a bar on the lifeline of the side that worked on it.
  var works = [];
  rows.forEach(function (row, index) {
    if (row.answers === null) return;
    var asked = rows[row.answers];
    works.push({ from: row.answers, to: index, lane: asked.callback ? 'tools' : asked.dir === 'out' ? 'cli' : 'host', error: row.error });
  });
  function ends(row) {
    var asked = row.answers === null ? row : rows[row.answers];
    var near = asked.callback ? X.tools : X.host;
    return row.dir === 'in' ? [X.cli, near] : row.dir === 'out' ? [near, X.cli] : null;
  }
  function drawRows() {
    var box = $('rows'), top = box.scrollTop, height = box.clientHeight || 600;
    var first = Math.max(0, Math.floor(top / ROW) - 4), last = Math.min(view.length, Math.ceil((top + height) / ROW) + 4);
    var list = $('list'), art = $('art');
    clear(list); clear(art);
    var offset = first * ROW, tall = (last - first) * ROW;
    art.style.top = offset + 'px';
    art.setAttribute('width', TEXT);
    art.setAttribute('height', Math.max(0, tall));
    ['tools', 'host', 'cli'].forEach(function (lane) {
      art.appendChild(svg('line', { x1: X[lane], x2: X[lane], y1: 0, y2: tall, stroke: color('line'), 'stroke-width': 1 }));
    });
    works.forEach(function (work) {
      var a = placeOf[work.from], b = placeOf[work.to];
      if (a === undefined || b === undefined || b < first || a >= last) return;
      art.appendChild(svg('rect', {
        x: X[work.lane] - 3, width: 6, rx: 2, y: a * ROW + ROW / 2 - offset, height: Math.max(2, (b - a) * ROW),
        fill: work.error ? color('error') : color('request'), opacity: 0.55
      }));
    });
    var id = chosen >= 0 ? rows[chosen].id : null;
    for (var place = first; place < last; place++) {
      var index = view[place], row = rows[index];
      var line = el('div', 'row ' + row.layer + (row.error ? ' error' : '') + (index === chosen ? ' chosen' : id && row.id === id ? ' kin' : ''));
      line.style.top = place * ROW + 'px';
      line.setAttribute('role', 'option');
      line.id = 'row-' + index;
      line.setAttribute('aria-selected', String(index === chosen));
      line.dataset.index = String(index);
      line.appendChild(el('span', 'time', ms(row.t)));
      var gap = el('span', 'gap');
      gap.style.width = TEXT - 84 + 'px';
      line.appendChild(gap);
      line.appendChild(el('span', 'event', row.event));
      line.appendChild(el('span', 'summary', row.summary));
      list.appendChild(line);
      drawArrow(art, row, (place - first) * ROW + ROW / 2);
    }
    if (chosen >= 0 && placeOf[chosen] !== undefined) box.setAttribute('aria-activedescendant', 'row-' + chosen);
    else box.removeAttribute('aria-activedescendant');
  }
  function drawArrow(art, row, y) {
    var points = ends(row), paint = row.error ? color('error') : color(row.layer);
    if (!points) {
      art.appendChild(svg('circle', { cx: X.host, cy: y, r: 3.5, fill: paint }));
      return;
    }
    var a = points[0], b = points[1], way = b > a ? 1 : -1;
    var shaft = { x1: a, x2: b - way * 6, y1: y, y2: y, stroke: paint, 'stroke-width': 1.6 };
    if (row.answers !== null) shaft['stroke-dasharray'] = '4 3';
    art.appendChild(svg('line', shaft));
    art.appendChild(svg('path', { d: 'M' + b + ' ' + y + 'l' + -way * 8 + ' -4v8z', fill: paint }));
  }

`;
