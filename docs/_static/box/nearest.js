/* The pages nearest to a text by its words. Words are stemmed by Sphinx's own search, here and when the index is made. */
(function (site) {
  "use strict";

  const END = 2000; // of a long text, the end: a log says last what went wrong

  /* The words of a text as the index has them; of `register_hook` and `CopySlices` the parts. */
  function stems(text, stemmer, stopwords) {
    const found = new Set();
    for (const [word] of text.matchAll(/[a-z_][a-z0-9_]+/gi)) {
      const parts = word.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) || [];
      for (const part of (parts.length > 1 ? parts : [word]).map((one) => one.toLowerCase())) {
        if (part.length > 1 && !stopwords.has(part)) found.add(stemmer.stemWord(part));
      }
    }
    return found;
  }

  /* The index as `render/words.py` packs it: each word with its pages and its weight on each. */
  function unpack({ words, pages, weights }) {
    const index = new Map();
    const packed = pages.split(" ");
    let next = 0;
    for (const [number, word] of words.split(" ").entries()) {
      let page = 0;
      const found = [];
      for (const character of packed[number]) {
        if (character === "/") page += 40;
        else found.push([(page += character.charCodeAt(0) - 52), Number(weights[next++])]);
      }
      index.set(word, found);
    }
    return index;
  }

  /* The numbers of the `count` nearest pages, the nearest first. */
  function nearest(text, index, count, stemmer, stopwords) {
    const scores = new Map();
    for (const stem of stems(text.slice(-END), stemmer, stopwords)) {
      for (const [page, weight] of index.get(stem) || []) scores.set(page, (scores.get(page) || 0) + weight);
    }
    const ranked = [...scores].sort((one, other) => other[1] - one[1] || one[0] - other[0]);
    return ranked.slice(0, count).map(([page]) => page);
  }

  Object.assign(site, { unpack, nearest });
})((globalThis.autogradInPlace ??= {}));
