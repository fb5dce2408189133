// What the HTML page does: draws only the rows in view, filters, searches, shows a frame. It is plain text
// because it runs in a browser, not here; recorded texts reach the page through textContent alone.

/** The script of the page. */
export const PAGE_SCRIPT = String.raw`
'use strict';
(function () {
  var data = JSON.parse(document.getElementById('data').textContent);
  var rows = data.rows, spans = data.spans, duration = Math.max(data.totals.duration, 0.001);
  var SVG = 'http://www.w3.org/2000/svg', ROW = 24, FALL = 19, LABEL = 230;
  var $ = function (id) { return document.getElementById(id); };
  function el(name, cls, text) {
    var node = document.createElement(name);
    if (cls) node.className = cls;
    if (text !== undefined) node.textContent = text;
    return node;
  }
  function svg(name, attributes, text) {
    var node = document.createElementNS(SVG, name);
    for (var key in attributes) node.setAttribute(key, attributes[key]);
    if (text !== undefined) node.textContent = text;
    return node;
  }
  function clear(node) { while (node.firstChild) node.removeChild(node.firstChild); }
  function color(name) { return 'var(--' + name + ')'; }
  function ms(value) {
    if (value < 10) return value.toFixed(1) + ' ms';
    if (value < 10000) return Math.round(value) + ' ms';
    if (value < 60000) return (value / 1000).toFixed(1) + ' s';
    var tenths = Math.round(value / 100), seconds = (tenths % 600 / 10).toFixed(1);
    return Math.floor(tenths / 600) + 'm ' + (seconds.length < 4 ? '0' : '') + seconds + 's';
  }

  // The head: what was run and where the time went.
  var meta = data.meta;
  $('facts').textContent = [
    new Date(meta.startedAt).toLocaleString(),
    'Claude CLI ' + (meta.claudeCodeVersion || '(unknown)'),
    meta.cwd || '', meta.ending
  ].filter(Boolean).join(' · ');
  document.title = 'Trace of ' + new Date(meta.startedAt).toLocaleString();
  [['total', 'duration'], ['model', 'model'], ['tools', 'tools'], ['permissions', 'permissions'], ['hooks', 'hooks']]
    .forEach(function (pair) {
      var item = el('span', '', pair[0] + ' ');
      item.appendChild(el('b', '', ms(data.totals[pair[1]])));
      $('totals').appendChild(item);
    });
  var bad = el('span', data.totals.errors ? 'bad' : '', 'errors ');
  bad.appendChild(el('b', '', String(data.totals.errors)));
  $('totals').appendChild(bad);
  data.problems.forEach(function (problem) { $('problems').appendChild(el('div', 'bad', problem)); });

  // What is shown.
  var layers = { message: true, control: true, mcp: true, process: true }, onlyErrors = false, words = '';
  var kinds = { model: true, tool: true, handler: true, permission: true, hook: true, request: false };
  var view = [], placeOf = [], chosen = -1, from = 0, to = duration;
  var haystack = rows.map(function (row) {
    return (row.event + ' ' + row.summary + ' ' + (row.id || '') + ' ' + (row.frame || '')).toLowerCase();
  });
  function applyFilter() {
    view = []; placeOf = new Array(rows.length);
    for (var i = 0; i < rows.length; i++) {
      var row = rows[i];
      if (!layers[row.layer] || (onlyErrors && !row.error) || (words && haystack[i].indexOf(words) < 0)) continue;
      if (isZoomed() && (row.t < from || row.t > to)) continue;
      placeOf[i] = view.length;
      view.push(i);
    }
    $('count').textContent = view.length === rows.length ? rows.length + ' events' : view.length + ' of ' + rows.length + ' events';
    $('space').style.height = view.length * ROW + 'px';
    $('nothing').hidden = view.length > 0;
    drawRows();
  }
  function isZoomed() { return from > 0 || to < duration; }

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

  // The waterfall: an overview of the whole run, and below it one bar for each thing that took time.
  var shown = [0, duration], SHORT = { handler: 'code' };
  var ORDER = ['request', 'hook', 'handler', 'permission', 'tool', 'model'];
  function shownSpans() {
    return spans.filter(function (span) { return kinds[span.kind] && span.end >= from && span.start <= to; });
  }
  function scale(width, a, b) { return function (t) { return LABEL + (t - a) / Math.max(0.001, b - a) * (width - LABEL - 96); }; }
  // What does not change with the choice is drawn once.
  var drawn = '';
  function drawStrip(width, left, wide) {
    var key = width + JSON.stringify(kinds), art = $('strip'), columns = Math.max(1, Math.floor(wide / 2));
    if (key === drawn) return;
    drawn = key;
    clear(art);
    ORDER.forEach(function (kind) {
      if (!kinds[kind]) return;
      // How much of each column is taken: thousands of spans become a few hundred bars.
      var cover = new Float64Array(columns);
      spans.forEach(function (span) {
        if (span.kind !== kind) return;
        var a = span.start / duration * columns, b = Math.max(a + 0.05, span.end / duration * columns);
        for (var c = Math.floor(a); c < Math.min(columns, Math.ceil(b)); c++) cover[c] += Math.min(b, c + 1) - Math.max(a, c);
      });
      var depth = { model: 0, tool: 1, handler: 1, permission: 2, hook: 3, request: 3 }[kind];
      for (var c = 0; c < columns; c++) {
        if (!cover[c]) continue;
        var end = c;
        while (end + 1 < columns && cover[end + 1] && Math.abs(Math.min(1, cover[end + 1]) - Math.min(1, cover[c])) < 0.15) end++;
        art.appendChild(svg('rect', {
          x: left + c * wide / columns, width: Math.max(1, (end - c + 1) * wide / columns), y: 4 + depth * 7, height: 6,
          fill: color(kind), opacity: 0.35 + 0.65 * Math.min(1, cover[c])
        }));
        c = end;
      }
    });
    ticks(0, duration, Math.max(2, Math.floor(wide / 110))).forEach(function (t) {
      var x = left + t / duration * wide;
      art.appendChild(svg('line', { x1: x, x2: x, y1: 2, y2: 36, stroke: color('line') }));
      var anchor = t === 0 ? 'start' : x > width - 50 ? 'end' : 'middle';
      art.appendChild(svg('text', { x: x, y: 46, 'font-size': 10, fill: color('faint'), 'text-anchor': anchor }, ms(t)));
    });
  }
  function drawOverview() {
    var width = $('overview').clientWidth || 900, left = 16, wide = width - 32;
    drawStrip(width, left, wide);
    var art = $('marks');
    clear(art);
    if (isZoomed()) {
      art.appendChild(svg('rect', { x: left + from / duration * wide, width: Math.max(2, (to - from) / duration * wide), y: 1, height: 36, fill: 'none', stroke: color('focus'), 'stroke-width': 1.5 }));
    }
    else if (shown[1] - shown[0] < duration / 2 && spans.length > 60) {
      art.appendChild(svg('rect', { x: left + shown[0] / duration * wide, width: Math.max(2, (shown[1] - shown[0]) / duration * wide), y: 1, height: 36, fill: color('focus'), opacity: 0.25 }));
    }
    if (chosen >= 0) {
      var at = left + rows[chosen].t / duration * wide;
      art.appendChild(svg('line', { x1: at, x2: at, y1: 0, y2: 38, stroke: color('error'), 'stroke-width': 1.5 }));
    }
  }
  function ticks(a, b, most) {
    var step = Math.pow(10, Math.floor(Math.log10((b - a) / most)));
    [1, 2, 5, 10].some(function (factor) {
      if ((b - a) / (step * factor) <= most) { step *= factor; return true; }
      return false;
    });
    var result = [];
    for (var t = Math.ceil(a / step) * step; t <= b; t += step) result.push(t);
    return result;
  }
  function drawFalls() {
    var box = $('falls'), art = $('bars'), width = box.clientWidth || 900, list = shownSpans();
    $('fallspace').style.height = list.length * FALL + 6 + 'px';
    var top = box.scrollTop, height = box.clientHeight || 200;
    var first = Math.max(0, Math.floor(top / FALL) - 2), last = Math.min(list.length, Math.ceil((top + height) / FALL) + 2);
    clear(art);
    art.style.top = first * FALL + 'px';
    art.setAttribute('width', width);
    art.setAttribute('height', Math.max(1, (last - first) * FALL));
    // The scale is that of what is in view: of thousands of spans each would be a hair on the scale of the run.
    var near = from, far = to;
    if (!isZoomed() && list.length > 0) {
      var inView = list.length > 60 ? list.slice(Math.floor(top / FALL), last) : list;
      near = inView[0].start; far = near + 0.001;
      inView.forEach(function (span) { if (span.end > far) far = span.end; });
      // One that lasts for all of the run must not take the others' room.
      if (list.length > 60) far = Math.min(far, inView[inView.length - 1].start + (inView[inView.length - 1].start - near || 1));
    }
    shown = [near, far];
    var id = chosen >= 0 ? rows[chosen].id : null;
    var at = scale(width, near, far);
    ticks(near, far, Math.max(2, Math.floor((width - LABEL - 96) / 110))).forEach(function (t) {
      art.appendChild(svg('line', { x1: at(t), x2: at(t), y1: 0, y2: (last - first) * FALL, stroke: color('line') }));
    });
    for (var i = first; i < last; i++) {
      var span = list[i], y = (i - first) * FALL, group = svg('g', { 'data-row': span.from });
      if (id && span.id === id) group.appendChild(svg('rect', { x: 0, y: y, width: width, height: FALL, fill: color('kin') }));
      group.appendChild(svg('rect', { class: 'hit', x: 0, y: y, width: width, height: FALL }));
      var text = (SHORT[span.kind] || span.kind) + (span.name === span.kind ? '' : ' ' + span.name);
      if (text.length > 32) text = text.slice(0, 31) + '…';
      group.appendChild(svg('text', { x: 16, y: y + 13, 'font-size': 12, fill: span.error ? color('error') : color('ink') }, text));
      var a = Math.max(LABEL, Math.min(width - 98, at(span.start))), b = Math.min(width - 96, Math.max(at(span.end), a + 2));
      group.appendChild(svg('rect', { x: a, y: y + 4, width: Math.max(2, b - a), height: FALL - 8, rx: 2, fill: color(span.kind), stroke: span.error ? color('error') : 'none' }));
      group.appendChild(svg('text', { x: Math.max(b, a + 2) + 6, y: y + 13, 'font-size': 11, fill: color('faint') }, ms(span.end - span.start) + (span.open ? ' …' : '')));
      var title = svg('title', {}, span.kind + ' ' + span.name + ', ' + ms(span.start) + ' to ' + ms(span.end));
      group.appendChild(title);
      art.appendChild(group);
    }
    var many = list.length === 1 ? '1 span' : list.length + ' spans';
    $('hint').textContent = isZoomed()
      ? ms(from) + ' to ' + ms(to) + ' · ' + many
      : many + (list.length > 60 ? ', in view ' + ms(shown[0]) + ' to ' + ms(shown[1]) : '') + ' · drag over the strip to zoom';
    $('whole').hidden = !isZoomed();
  }
  function zoom(a, b) {
    from = Math.max(0, Math.min(a, b)); to = Math.min(duration, Math.max(a, b));
    if (to - from < duration / 100000) { from = 0; to = duration; }
    $('falls').scrollTop = 0;
    drawFalls(); drawOverview(); applyFilter();
  }

  // Choosing a row and looking at its frame.
  function choose(index, move) {
    chosen = index;
    if (index >= 0 && move) {
      var place = placeOf[index];
      if (place === undefined) { resetFilter(); place = placeOf[index]; }
      var box = $('rows'), y = place * ROW;
      if (y < box.scrollTop || y + ROW > box.scrollTop + box.clientHeight) box.scrollTop = Math.max(0, y - box.clientHeight / 2);
    }
    showDetail();
    if (index >= 0) showSpan(rows[index].t);
    drawRows(); drawFalls(); drawOverview();
  }
  function showSpan(t) {
    var list = shownSpans(), place = 0, box = $('falls');
    while (place + 1 < list.length && list[place + 1].start <= t) place++;
    var y = place * FALL;
    if (y < box.scrollTop || y + FALL > box.scrollTop + box.clientHeight) box.scrollTop = Math.max(0, y - box.clientHeight / 2);
  }
  function showDetail() {
    var panel = $('detail'), wasHidden = panel.hidden;
    panel.hidden = chosen < 0;
    if (chosen >= 0) fillDetail(rows[chosen]);
    if (panel.hidden !== wasHidden) resize();
  }
  function fillDetail(row) {
    $('what').textContent = row.event;
    var list = $('about');
    clear(list);
    [
      ['time', ms(row.t)], ['layer', row.layer],
      ['direction', row.dir === 'in' ? 'CLI → host' : row.dir === 'out' ? 'host → CLI' : '–'],
      ['id', row.id || '–'],
      ['took', row.answers === null ? '' : ms(row.t - rows[row.answers].t) + ' since the question']
    ].forEach(function (pair) {
      if (!pair[1]) return;
      list.appendChild(el('dt', '', pair[0]));
      list.appendChild(el('dd', '', pair[1]));
    });
    var links = $('links');
    clear(links);
    var kin = [];
    if (row.id) for (var i = 0; i < rows.length && kin.length < 12; i++) if (rows[i].id === row.id && i !== chosen) kin.push(i);
    kin.forEach(function (index) {
      var link = el('button', '', ms(rows[index].t) + ' ' + rows[index].event);
      link.addEventListener('click', function () { choose(index, true); });
      links.appendChild(link);
    });
    var text = row.frame === null ? row.summary || '(no frame)' : row.frame;
    if (row.frame !== null && !row.cut) {
      try { text = JSON.stringify(JSON.parse(row.frame), null, 2); } catch (error) { /* shown as it is */ }
    }
    $('json').textContent = text + (row.cut ? '\n… (' + row.cut + ' characters more; the trace file has them)' : '');
    $('json').scrollTop = 0;
  }
  function resetFilter() {
    for (var name in layers) layers[name] = true;
    onlyErrors = false; words = ''; $('search').value = ''; from = 0; to = duration;
    paintButtons(); drawFalls(); drawOverview(); applyFilter();
  }
  function step(by) {
    if (view.length === 0) return;
    var place = placeOf[chosen];
    if (chosen < 0 || place === undefined) place = by > 0 ? -1 : view.length;
    choose(view[Math.max(0, Math.min(view.length - 1, place + by))], true);
  }

  // Buttons.
  var buttons = [];
  function toggle(parent, label, paint, read, write) {
    var button = el('button');
    button.type = 'button';
    if (paint) {
      var dot = el('span', 'dot');
      dot.style.background = color(paint);
      button.appendChild(dot);
    }
    button.appendChild(document.createTextNode(label));
    button.addEventListener('click', function () { write(!read()); paintButtons(); });
    parent.appendChild(button);
    buttons.push(function () { button.setAttribute('aria-pressed', String(read())); });
  }
  function paintButtons() { buttons.forEach(function (paint) { paint(); }); }
  Object.keys(layers).forEach(function (name) {
    toggle($('layers'), name, name, function () { return layers[name]; }, function (on) { layers[name] = on; applyFilter(); });
  });
  toggle($('layers'), 'errors only', 'error', function () { return onlyErrors; }, function (on) { onlyErrors = on; applyFilter(); });
  var NAMES = { model: 'model', tool: 'tool call', handler: 'in your code', permission: 'permission', hook: 'hook', request: 'other requests' };
  Object.keys(kinds).forEach(function (name) {
    toggle($('kinds'), NAMES[name], name, function () { return kinds[name]; }, function (on) { kinds[name] = on; drawFalls(); drawOverview(); });
  });
  $('whole').addEventListener('click', function () { zoom(0, 0); });
  $('close').addEventListener('click', function () { choose(-1); $('rows').focus(); });

  // Events.
  var waiting = false;
  $('search').addEventListener('input', function () {
    words = $('search').value.trim().toLowerCase();
    $('rows').scrollTop = 0;
    applyFilter();
  });
  $('rows').addEventListener('scroll', function () {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(function () { waiting = false; drawRows(); });
  });
  $('falls').addEventListener('scroll', function () { requestAnimationFrame(function () { drawFalls(); drawOverview(); }); });
  $('list').addEventListener('click', function (event) {
    var line = event.target.closest('.row');
    if (line) choose(Number(line.dataset.index));
  });
  $('bars').addEventListener('click', function (event) {
    var group = event.target.closest('g');
    if (group) choose(Number(group.getAttribute('data-row')), true);
  });
  var drag = null;
  function timeAt(event) {
    var box = $('overview').getBoundingClientRect();
    return (event.clientX - box.left - 16) / (box.width - 32) * duration;
  }
  $('overview').addEventListener('pointerdown', function (event) {
    drag = timeAt(event);
    $('overview').setPointerCapture(event.pointerId);
  });
  $('overview').addEventListener('pointermove', function (event) {
    if (drag === null) return;
    from = Math.max(0, Math.min(drag, timeAt(event))); to = Math.min(duration, Math.max(drag, timeAt(event)));
    if (to > from) drawOverview();
  });
  $('overview').addEventListener('pointerup', function (event) {
    if (drag === null) return;
    var a = drag, b = timeAt(event);
    drag = null;
    zoom(a, b);
  });
  $('overview').addEventListener('dblclick', function () { zoom(0, 0); });
  document.addEventListener('keydown', function (event) {
    var typing = event.target === $('search');
    if (event.key === 'Escape') {
      if (typing && words) { $('search').value = ''; words = ''; applyFilter(); }
      else if (chosen >= 0) choose(-1);
      else if (isZoomed()) zoom(0, 0);
      $('rows').focus();
      event.preventDefault();
      return;
    }
    if (typing || event.ctrlKey || event.metaKey || event.altKey) {
      if (typing && event.key === 'Enter') { $('rows').focus(); step(1); }
      return;
    }
    var page = Math.max(1, Math.floor($('rows').clientHeight / ROW) - 1);
    var moves = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1, PageDown: page, PageUp: -page, Home: -rows.length, End: rows.length };
    if (moves[event.key] !== undefined && !event.target.closest('aside')) { step(moves[event.key]); event.preventDefault(); }
    else if (event.key === '/') { $('search').focus(); event.preventDefault(); }
    else if (event.key === 'e') {
      for (var n = 1; n <= rows.length; n++) {
        var index = (Math.max(chosen, -1) + n + rows.length) % rows.length;
        if (rows[index].error) { choose(index, true); break; }
      }
    }
  });
  function resize() { place(); drawFalls(); drawOverview(); drawRows(); }
  window.addEventListener('resize', resize);

  if (spans.length === 0) $('fall').hidden = true;
  paintButtons(); place(); applyFilter(); drawFalls(); drawOverview();
  // Laid out only now: the sizes read before were those of an empty page.
  resize();
  $('rows').focus();
  document.documentElement.dataset.ready = 'true';
})();
`;
