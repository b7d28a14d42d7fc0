/* The box: paste a traceback, get the page. Nothing leaves the browser; what is pasted is shown as text only.

   A link with `#q=…` behind the page's address opens the answer. On the page of the site's search, the same answer
   stands above its results. The catalogue is fetched when the box is first used. */
(function (site) {
  "use strict";

  const MOST = 1e6; // characters that are looked at: the end of a longer text
  const IN_LINK = 1500; // characters of a message that go into a link
  const GUESSES = 3;
  const root = document.currentScript.src.replace(/_static\/box\/box\.js.*$/, "");
  const parts = ["_static/box/words.js", "_static/box/holes.js", "_static/box/match.js", "box/messages.js"];

  const fetched = new Map(); // promises of scripts and of what is made from them
  function once(name, make) {
    if (!fetched.has(name)) fetched.set(name, make());
    fetched.get(name).catch(() => fetched.delete(name)); // the next question tries again
    return fetched.get(name);
  }

  /* The messages, ready to be found. */
  const load = () => once("messages", async () => {
    for (const path of parts) await script(path);
    const { pages, messages } = site.catalogue;
    for (const message of messages) message.id ??= /([^/]+)\.html$/.exec(pages[message.page][0])[1]; // that of its page
    return { pages, index: site.indexOf(messages) };
  });

  /* The words of the pages, ready to be searched. */
  const loadWords = () => once("words", async () => {
    if (!window.Stemmer) await script("_static/language_data.js"); // the page of Sphinx's search has it already
    for (const path of ["_static/box/nearest.js", "box/pages.js"]) await script(path);
    const [index, stemmer] = [site.unpack(site.words), new window.Stemmer()];
    return (text, count) => site.nearest(text, index, count, stemmer, window.stopwords);
  });

  /* What a page tells: the cause, the fix, and its messages in plain words. */
  const loadAnswer = (page) => once(page, async () => {
    await script(`box/${page}.js`);
    return site.answer;
  });

  function script(path) {
    return new Promise((resolve, reject) => {
      const element = Object.assign(document.createElement("script"), { src: root + path, onload: resolve });
      element.onerror = () => reject(new Error(`${path} cannot be read`));
      document.head.append(element);
    });
  }

  /* What there is to say to a text: the messages in it, the last with its answer; else the pages nearest by words. */
  async function ask(text) {
    const { pages, index } = await load();
    const end = text.slice(-MOST);
    const found = site.find(end, index);
    if (found[0]?.alike.length) found[0] = nearestOf(found[0], await loadWords(), end);
    const answer = found.length ? await loadAnswer(found[0].message.page) : {};
    const guesses = found.length ? [] : (await loadWords())(end, GUESSES);
    return { found, answer, guesses, pages, cut: text.length > MOST };
  }

  /* Of messages that fit a cut text alike the one whose page is nearest to the rest of the text. */
  function nearestOf({ alike, ...first }, order, text) {
    const all = [first, ...alike];
    const rest = text.replace(first.text, " ").replace(/\w+(?:Error|Warning)\b/g, " ");
    const tells = (rest.match(/\w{4,}/g) || []).length > 2; // fewer words are what is left of the message
    const pages = tells ? order(rest, Infinity).filter((page) => all.some(({ message }) => message.page === page)) : [];
    const best = all.find(({ message }) => message.page === pages[0]) ?? first;
    return { ...best, text: first.text, alike: all.filter((one) => one !== best) };
  }

  const element = (tag, options, ...children) => {
    const made = Object.assign(document.createElement(tag), options);
    made.append(...children.filter(Boolean));
    return made;
  };

  /* Text in which code stands between backticks. */
  const prose = (text) =>
    element("p", {}, ...text.split(/`([^`]+)`/).map((part, i) => (i % 2 ? element("code", { textContent: part }) : part)));

  const link = ([url, title], id) => element("a", { href: `${root}${url}${id ? `#error-${id}` : ""}`, textContent: title });

  function showMessage({ message, wording, holes }, { cause, fix, says }, pages) {
    const said = site.say(says[message.id] ?? "", holes);
    const until = message.until?.[wording - 1];
    return element(
      "section", { className: "box-found" },
      element("h2", {}, link(pages[message.page], message.id)),
      said && element("p", { className: "box-says", textContent: said }),
      cause && prose(cause),
      fix && element("p", {}, element("strong", { textContent: "Fix: " }), ...prose(fix).childNodes),
      until && element("p", { className: "box-until", textContent: `Torch said it in these words until ${until}.` }),
    );
  }

  const showList = (title, links) =>
    element("section", {}, element("p", { textContent: title }), element("ul", {}, ...links.map((one) => element("li", {}, one))));

  function show({ found, answer, guesses, pages, cut }, place) {
    const [first, ...others] = found;
    const linked = ({ message }) => link(pages[message.page], message.id);
    const guess = "No message that this site knows stands in this text. The nearest pages by words, a guess:";
    const nothing = "No message that this site knows stands in this text, and no page shares a word with it.";
    place.replaceChildren(...[
      cut && element("p", { textContent: "The text is longer than a million characters; this is from its end." }),
      first && showMessage(first, answer, pages),
      first?.alike.length && showList("The text is cut, and may as well be of:", first.alike.map(linked)),
      others.length && showList("Before it in the text:", others.map(linked)),
      guesses.length && showList(guess, guesses.map((page) => link(pages[page]))),
      !first && !guesses.length && element("p", { textContent: nothing }),
    ].filter(Boolean));
  }

  let asked = 0; // tells the last question from one that is still being answered
  async function answerInto(text, place) {
    const question = ++asked;
    place.setAttribute("aria-busy", "true");
    try {
      const answered = await ask(text);
      if (question === asked) show(answered, place);
      return answered;
    } catch (error) {
      place.replaceChildren(element("p", { textContent: `The catalogue of messages could not be read: ${error.message}.` }));
      return { found: [] };
    } finally {
      place.removeAttribute("aria-busy");
    }
  }

  function startBox(form) {
    const [area, place] = [form.querySelector("textarea"), form.parentElement.querySelector(".box-answer")];
    const answerHere = async () => {
      if (!area.value.trim()) {
        place.replaceChildren(element("p", { textContent: "Paste a traceback, or its last line." }));
        return area.focus();
      }
      const { found } = await answerInto(area.value, place);
      const said = (found[0]?.text ?? area.value.trim()).replace(/\s+/g, " ").slice(0, IN_LINK);
      history.replaceState(null, "", `#q=${encodeURIComponent(said)}`);
    };
    const open = () => {
      const said = /^#q=(.*)$/s.exec(location.hash);
      if (!said) return;
      try {
        area.value = decodeURIComponent(said[1].replace(/\+/g, " "));
      } catch {
        area.value = said[1]; // a link that was cut within a character
      }
      answerHere();
    };
    form.addEventListener("submit", (event) => (event.preventDefault(), answerHere()));
    area.addEventListener("focus", () => load().catch(() => {}), { once: true });
    area.addEventListener("paste", () => setTimeout(answerHere));
    area.addEventListener("keydown", (event) => event.key === "Enter" && (event.ctrlKey || event.metaKey) && answerHere());
    window.addEventListener("hashchange", open);
    open();
  }

  function startSearch(results) {
    if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false; // a file may not read others
    const query = new URLSearchParams(location.search).get("q");
    if (!query?.trim()) return;
    const place = element("div", { className: "box-answer" });
    results.before(place);
    answerInto(query, place);
  }

  Object.assign(site, { ask, ready: load });
  document.querySelectorAll("form.box").forEach(startBox);
  document.querySelectorAll("#search-results").forEach(startSearch);
})((globalThis.autogradInPlace ??= {}));
