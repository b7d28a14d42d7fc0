/* Finds the messages of torch that stand in a text, the last one first.

   A message is known by its pairs of neighbouring words: "leaf Variable", "Variable that", … Holes of a template have
   no words, so what stands in them does not matter. One pass over the text looks every pair up, so the time grows with
   the text alone, whatever stands in it. Colours, HTML entities, quotes and line breaks are no words and fall out by
   themselves. `examples/explain_errors.py` does the same; a test holds the two together. */
(function (site) {
  "use strict";

  const GAP = 60; // how many words may stand between two pairs of one message: a hole can hold a list of parameters
  const TELLING = 3; // a part of a message must have a pair that is on so many pages at most
  const SHORT = 6; // a message of so few pairs must be there as a whole: "… object has no attribute" is not enough
  const CUT_PAIRS = 3; // unless the text ends within it, after so many pairs
  const REST = 0.7; // or begins within it, with this much of it left
  const SHARE = 0.6; // of a longer one, this much
  const PART = 0.8; // or this much of a piece of it, where the text is cut,
  const PART_PAIRS = 5; // that has so many pairs;
  const OTHER = 0.4; // or this much, where a release says it in other words,
  const OTHER_PAIRS = 10; // if these are so many pairs,
  const SPREAD = 2.5; // among at most so many words for each pair of the message
  const LONGEST = 20000; // how many characters of a message are looked at for what stands in its holes
  const MISSING = 0.1; // what a pair that is missing counts against a message, beside others at the same place

  const { wordsOf, goOn, holesOf } = site;

  /* Every wording of every message, its pairs of words as slots, and for each pair the slots it can be. */
  function indexOf(messages) {
    const vocabulary = new Map();
    const slots = new Map();
    const wordings = [];
    const pages = new Map(); // by pair, the pages that have it
    for (const message of messages) {
      for (const [number, template] of message.wordings.entries()) {
        const wording = { message, number, ...site.parseTemplate(template), pairs: [], begins: true };
        wording.pieces.forEach((piece, place) => addPairs(piece, place, wording, vocabulary));
        wordings.push(wording);
        for (const pair of wording.pairs) {
          if (!pages.has(pair)) pages.set(pair, new Set());
          pages.get(pair).add(message.page);
        }
      }
    }
    for (const [number, wording] of wordings.entries()) {
      wording.sums = new Float64Array(wording.pairs.length + 1);
      for (const [place, pair] of wording.pairs.entries()) {
        const weight = Math.log(1 + messages.length / pages.get(pair).size);
        wording.sums[place + 1] = wording.sums[place] + weight;
        if (!slots.has(pair)) slots.set(pair, []);
        slots.get(pair).push({ wording: number, place, weight, begins: place === 0 && wording.begins, seen: 0 });
      }
    }
    const mayBe = new Uint8Array(65536); // most words of a text are of no message: tells so without a search
    for (const hash of vocabulary.keys()) mayBe[hash & 65535] = 1;
    const telling = Math.log(1 + messages.length / TELLING);
    return { vocabulary, mayBe, slots, wordings, telling };
  }

  /* A pair that comes twice in a message stands for its first place; if it is the message's first, it does not tell
     that the message begins. A word that a hole touches is not known. The name of an exception's class pairs with
     nothing: it stands before every message. */
  function addPairs(piece, place, wording, vocabulary) {
    const inner = piece.replace(place ? /^\w+/ : "", "").replace(place + 1 < wording.pieces.length ? /\w+$/ : "", "");
    for (const part of inner.split(/\w+(?:Error|Warning)\b/)) {
      const words = wordsOf(part);
      let before = 0;
      for (let i = 0; i < words.count; i++) {
        if (!vocabulary.has(words.hash[i])) vocabulary.set(words.hash[i], vocabulary.size + 1);
        const word = vocabulary.get(words.hash[i]);
        const pair = before * 65536 + word;
        if (before && !wording.pairs.includes(pair)) wording.pairs.push(pair);
        else if (pair === wording.pairs[0]) wording.begins = false;
        before = word;
      }
    }
  }

  /* The number of the word at `i`, joined with the next one where a line break has cut it; and how many it takes. */
  function wordAt(text, words, i, { vocabulary, mayBe }) {
    const known = (mayBe[words.hash[i] & 65535] && vocabulary.get(words.hash[i])) || 0;
    if (i + 1 === words.count || words.start[i + 1] - words.end[i] > 8) return [known, 1];
    if (known && vocabulary.has(words.hash[i + 1])) return [known, 1];
    if (!text.slice(words.end[i], words.start[i + 1]).includes("\n")) return [known, 1];
    const hash = goOn(words.hash[i], text, words.start[i + 1], words.end[i + 1]);
    return vocabulary.has(hash) ? [vocabulary.get(hash), 2] : [known, 1];
  }

  /* The last place of every wording that is there: where it begins and ends, and how much of it was found. */
  function placesOf(text, words, index) {
    const runs = index.wordings.map((_, wording) => ({ wording, number: 0, last: -GAP }));
    const places = new Map();
    const close = (number) => {
      const run = runs[number];
      const atEnd = words.count - run.last <= 2; // a word may have been cut
      if (run.number && isThere(run, index, atEnd)) places.set(number, { ...run, wording: index.wordings[number] });
    };
    for (let i = 0, before = 0, from = 0; i < words.count; ) {
      const [word, taken] = wordAt(text, words, i, index);
      const found = (before && word && index.slots.get(before * 65536 + word)) || [];
      for (const slot of found) {
        const run = runs[slot.wording];
        if (i - run.last > GAP || slot.begins) {
          close(slot.wording);
          Object.assign(run, { number: ++stamp, start: from, score: 0, best: 0, pairs: 0, low: slot.place, high: slot.place });
        }
        run.last = i + taken - 1;
        if (slot.seen !== run.number) count(slot, run);
      }
      before = word;
      from = i;
      i += taken;
    }
    runs.forEach((run, number) => close(number));
    return [...places].sort(([one], [other]) => one - other).map(([, place]) => place);
  }

  function count(slot, run) {
    slot.seen = run.number;
    run.score += slot.weight;
    run.best = Math.max(run.best, slot.weight);
    run.pairs += 1;
    run.low = Math.min(run.low, slot.place);
    run.high = Math.max(run.high, slot.place);
  }

  let stamp = 0; // tells the runs of all texts apart, so that a slot's `seen` need not be wiped

  function isThere(run, { wordings, telling }, atEnd) {
    const wording = wordings[run.wording];
    const count = wording.pairs.length;
    if (run.pairs === count) return true;
    if (run.best < telling && run.pairs < OTHER_PAIRS) return false; // "object has no attribute" is of many messages
    if (atEnd && run.low === 0 && run.pairs >= CUT_PAIRS && run.pairs > run.high) return true;
    const total = wording.sums[count];
    if (count <= SHORT) return run.start <= 2 && run.high + 1 === count && run.score >= REST * total;
    if (run.score >= SHARE * total) return true;
    if (run.pairs >= OTHER_PAIRS && run.score >= OTHER * total && run.last - run.start <= SPREAD * count) return true;
    return run.pairs >= PART_PAIRS && run.score >= PART * (wording.sums[run.high + 1] - wording.sums[run.low]);
  }

  /* The messages in a text, one a page, the last first; each with what stands in its holes. */
  function find(text, index) {
    const words = wordsOf(text);
    let places = placesOf(text, words, index);
    const found = [];
    while (places.length) {
      const last = places.reduce((one, other) => (other.last > one.last ? other : one));
      const here = places.filter((place) => place.last >= last.start);
      const [best, ...others] = bestOf(here, text, words);
      places = places.filter((place) => place.last < last.start && place.last < best.start);
      if (found.some((other) => other.message.page === best.wording.message.page)) continue;
      const { wording, holes, said } = best;
      const alike = others.map((other) => ({ message: other.wording.message, wording: other.wording.number, holes: other.holes }));
      found.push({ message: wording.message, wording: wording.number, holes, text: said, alike });
    }
    return found;
  }

  /* Of the wordings at one place the one that fits best: by pairs, then by the signs between the words. Where the text is
     cut before the words that tell, one a page of those that it fits as well, in the catalogue's order. */
  function bestOf(here, text, words) {
    const ranks = here.map(({ wording, score }) => score - MISSING * (wording.sums[wording.pairs.length] - score));
    const top = Math.max(...ranks) - 1e-9;
    const read = here.filter((_, number) => ranks[number] >= top).map((place) => readAt(place, text, words));
    const best = read.reduce((one, other) => (other.exact > one.exact ? other : one));
    if (best.pairs === best.wording.pairs.length) return [best];
    const pages = new Map();
    for (const place of here) {
      const page = place.wording.message.page;
      if (Math.abs(place.score - best.score) >= 1e-9 || pages.has(page)) continue;
      pages.set(page, page === best.wording.message.page ? best : readAt(place, text, words));
    }
    return [...pages.values()];
  }

  /* A place with what it says there: the text, and what stands in the holes. */
  function readAt(place, text, words) {
    const start = words.start[place.start];
    const end = Math.min(words.end[place.last], start + LONGEST);
    const part = text.slice(Math.max(0, start - 200), end + 400);
    return { ...place, said: text.slice(start, end), ...holesOf(part, place.wording) };
  }

  Object.assign(site, { indexOf, find });
})((globalThis.autogradInPlace ??= {}));
