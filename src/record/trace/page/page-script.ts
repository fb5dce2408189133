// What the HTML page does: filters, searches, shows a frame; two neighbours draw. It is plain text because it
// runs in a browser, not here; recorded texts reach the page through textContent alone.
import { PAGE_SEQUENCE } from './page-sequence.js';
import { PAGE_WATERFALL } from './page-waterfall.js';

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

${PAGE_SEQUENCE}${PAGE_WATERFALL}  // Choosing a row and looking at its frame.
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
