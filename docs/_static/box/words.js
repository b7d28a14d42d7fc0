/* The words of a text, in one pass. Colours, HTML entities, quotes and line breaks are none, and fall out by themselves. */
(function (site) {
  "use strict";

  const LETTERS = new Uint8Array(128); // the small letter for each character of a word, else 0
  for (const character of "abcdefghijklmnopqrstuvwxyz0123456789_") {
    LETTERS[character.charCodeAt(0)] = LETTERS[character.toUpperCase().charCodeAt(0)] = character.charCodeAt(0);
  }

  const SEED = 0x811c9dc5;
  const mix = (hash, code) => Math.imul(hash ^ code, 0x01000193);

  /* Where what is no text ends: a colour, as a terminal has it or as JSON writes it, an entity, an escaped character. */
  const COLOUR = /(?:\x1b|\\(?:x1b|u001b|033|e))\[[0-9;?]{0,20}[A-Za-z]/iy;
  const LINK = /\x1b\][^\x07\x1b]{0,300}(?:\x07|\x1b\\)/y;
  const ENTITY = /&(?:#x?[0-9a-f]{1,6}|[a-z]{2,8});/iy;
  const ESCAPED = /\\[nrt"'\\]/y;

  /* What a log writes before every line: a rank, a time, a level. */
  const PREFIX = /\n[ \t]*(?:(?:\[[^\]\n]{1,40}\]:?|\d{4}-\d\d-\d\d[T ][\d:.,+Z-]+|[A-Z]{4,8}:?|[>|])[ \t]+)+/g;

  function afterMark(text, at, code) {
    const marks = code === 38 ? [ENTITY] : code === 27 ? [COLOUR, LINK] : [COLOUR, ESCAPED];
    for (const mark of marks) {
      mark.lastIndex = at;
      if (mark.test(text)) return mark.lastIndex;
    }
    return at + 1;
  }

  /* The words of a text: a hash for each, and where it begins and ends. */
  function wordsOf(text) {
    const size = (text.length >> 1) + 1;
    const words = { hash: new Int32Array(size), start: new Int32Array(size), end: new Int32Array(size), count: 0 };
    for (let at = 0; at < text.length; ) {
      const code = text.charCodeAt(at);
      if (code < 128 && LETTERS[code]) {
        let hash = SEED;
        words.start[words.count] = at;
        for (let next = code; at < text.length && (next = text.charCodeAt(at)) < 128 && LETTERS[next]; at++) {
          hash = mix(hash, LETTERS[next]);
        }
        words.hash[words.count] = hash;
        words.end[words.count++] = at;
      } else if (code === 27 || code === 38 || code === 92) {
        at = afterMark(text, at, code);
      } else {
        at++;
      }
    }
    return words;
  }

  /* The hash of a word that goes on at `start`, as if nothing stood before it. */
  function goOn(hash, text, start, end) {
    for (let at = start; at < end; at++) hash = mix(hash, LETTERS[text.charCodeAt(at)]);
    return hash;
  }

  /* A text as it was before a terminal, a log or a web page wrote it. */
  function plain(text) {
    return text
      .replace(new RegExp(COLOUR.source, "gi"), "")
      .replace(PREFIX, "\n")
      .replace(new RegExp(ESCAPED.source, "g"), (mark) => (mark[1] === '"' || mark[1] === "'" ? mark[1] : " "))
      .replace(/&(?:quot|#34);/g, '"')
      .replace(/&(?:#39|#x27|apos);/gi, "'")
      .replace(/&(?:#96|#x60);/gi, "`")
      .replace(/&lt;/g, "<")
      .replace(/&gt;/g, ">")
      .replace(/&nbsp;/g, " ")
      .replace(/&amp;/g, "&")
      .replace(/\s+/g, " ");
  }

  Object.assign(site, { wordsOf, goOn, plain });
})((globalThis.autogradInPlace ??= {}));
