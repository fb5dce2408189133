// The part of the page's script that draws the waterfall: an overview of the run, and a bar for each span in view.

/** Stands inside the page's script, whose names it uses. */
export const PAGE_WATERFALL = String.raw`
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

`;
