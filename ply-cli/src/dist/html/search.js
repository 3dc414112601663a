'use strict';
// Searches the index of all sections, which is a script beside this one: pages may be files.
(() => {
  const root = document.currentScript.getAttribute('data-root');
  const input = document.getElementById('search');
  const found = document.getElementById('found');
  const most = 30;

  // Entries are a title, the page's title, a link and the words below.
  const rank = (entry, words) => {
    const title = entry[0].toLowerCase();
    let sum = 0;
    for (const word of words) {
      if (title === word) sum += 8;
      else if (title.startsWith(word)) sum += 4;
      else if (title.includes(word)) sum += 2;
      else if (entry[1].toLowerCase().includes(word)) sum += 1;
      else if (!entry[3].includes(word)) return -1;
    }
    return sum;
  };

  const show = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter((word) => word.length > 0);
    const hits = words.length === 0 ? [] : window.searchIndex
      .map((entry, place) => ({ entry, place, rank: rank(entry, words) }))
      .filter((hit) => hit.rank >= 0)
      .sort((a, b) => b.rank - a.rank || a.place - b.place)
      .slice(0, most);
    found.replaceChildren(...hits.map(({ entry }) => {
      const link = document.createElement('a');
      link.href = root + entry[2];
      link.textContent = entry[0];
      if (entry[0] !== entry[1]) {
        const page = document.createElement('small');
        page.textContent = ' \u2013 ' + entry[1];
        link.append(page);
      }
      const item = document.createElement('li');
      item.append(link);
      return item;
    }));
    if (words.length > 0 && hits.length === 0) {
      const item = document.createElement('li');
      item.textContent = 'Nothing has all of these words.';
      found.append(item);
    }
    found.hidden = words.length === 0;
  };

  input.hidden = false;
  input.addEventListener('input', show);
  document.addEventListener('keydown', (event) => {
    if (event.key === '/' && document.activeElement !== input) {
      event.preventDefault();
      input.focus();
    } else if (event.key === 'Escape') {
      input.value = '';
      show();
    }
  });
})();
