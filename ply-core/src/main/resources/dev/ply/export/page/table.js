// A table of rows that sorts by a column, filters by a regular expression, and is copied as CSV.
// Columns are {name, number, rising}; a cell is {text, value}. The first column of numbers sorts the rows at first.
const MOST_ROWS = 2000;

function csv(cell) {
  const text = String(cell);
  return /[",\n\r]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
}

function matcher(text) {
  if (text === '') return () => true;
  try {
    const pattern = new RegExp(text, 'i');
    return name => pattern.test(name);
  } catch {
    const part = text.toLowerCase();
    return name => name.toLowerCase().includes(part);
  }
}

function table(columns, rows) {
  let headings = [];
  let sorted = columns.findIndex(column => column.number);
  let falling = !columns[sorted]?.rising;
  let filter = '';
  const body = element('tbody');
  const count = element('span', { class: 'faint' });
  const head = element('tr', {});

  function title() {
    headings = columns.map((column, index) => element('button', { type: 'button', click: () => {
      falling = sorted === index ? !falling : column.number === true;
      sorted = index;
      draw();
    } }, column.name));
    head.replaceChildren(...headings.map((button, index) =>
      element('th', { scope: 'col', class: columns[index].number ? 'number' : '' }, button)));
  }

  function chosen() {
    const matches = matcher(filter);
    const kept = rows.filter(row => row.some(cell => matches(cell.text)));
    if (sorted >= 0) {
      const sign = falling ? -1 : 1;
      kept.sort((a, b) => {
        const [x, y] = [a[sorted].value ?? a[sorted].text, b[sorted].value ?? b[sorted].text];
        return sign * (typeof x === 'number' && typeof y === 'number' ? x - y
          : String(x).localeCompare(String(y), 'en', { numeric: true }));
      });
    }
    return kept;
  }

  function draw() {
    const kept = chosen();
    headings.forEach((button, index) => {
      button.textContent = columns[index].name + (index === sorted ? (falling ? ' ▾' : ' ▴') : '');
      button.parentNode?.setAttribute('aria-sort', index !== sorted ? 'none' : falling ? 'descending' : 'ascending');
    });
    body.replaceChildren(...kept.slice(0, MOST_ROWS).map(row => element('tr', {}, ...row.map((cell, index) =>
      element('td', columns[index].number ? { class: 'number' } : {}, cell.text)))));
    count.textContent = grouped(kept.length) + (kept.length === rows.length ? '' : ' of ' + grouped(rows.length))
      + (rows.length === 1 ? ' row' : ' rows') + (kept.length > MOST_ROWS ? ', the first ' + grouped(MOST_ROWS) + ' shown' : '');
  }

  async function copy() {
    const lines = [columns.map(column => csv(column.name)).join(',')];
    chosen().forEach(row => lines.push(row.map(cell => csv(cell.value ?? cell.text)).join(',')));
    await copied(lines.join('\n') + '\n');
  }

  const view = element('section', {},
    element('div', { class: 'bar' },
      element('input', { type: 'search', placeholder: 'filter (regular expression)', 'aria-label': 'filter rows', input: event => {
        filter = event.target.value;
        draw();
      } }),
      element('button', { type: 'button', click: copy }, 'copy as CSV'),
      count),
    element('div', { class: 'rows' }, element('table', {},
      element('thead', {}, head),
      body)));
  title();
  draw();
  return { element: view, update: (now, titles) => {
    rows = now;
    if (titles && titles.length !== columns.length) {
      columns = titles;
      title();
    }
    draw();
  } };
}

// Pages that are opened from files have no clipboard of their own in some browsers.
async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = element('textarea', {});
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
  }
}
