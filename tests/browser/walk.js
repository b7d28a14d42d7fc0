// What is asked of a page, beside axe.

globalThis.walk = {
  /* The tags of axe's rules: WCAG 2.0 to 2.2 at A and AA, and good practice. */
  TAGS: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
  COLOURS: ["color-contrast", "link-in-text-block"],

  /* Shows all of the page, and waits for what watches its boxes. */
  async open() {
    for (const fold of document.querySelectorAll("details")) fold.open = true;
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
  },

  /* What axe finds by all rules but those that colours decide, without the marks that colour code: they are most elements. */
  rules() {
    for (const mark of document.querySelectorAll("pre span[class]:not(:has(a), a *)")) mark.replaceWith(...mark.childNodes);
    const rules = Object.fromEntries(this.COLOURS.map((rule) => [rule, { enabled: false }]));
    return this.axe(document, { runOnly: { type: "tag", values: this.TAGS }, rules });
  },

  /* What axe finds by those, in the colours of now: of elements that look alike one is asked, and none that was seen. */
  async colours(seen) {
    const looks = this.looks();
    const fresh = [...looks].filter(([look]) => !seen.includes(look));
    const include = fresh.map(([, element]) => element);
    const found = include.length ? await this.axe({ include }, { runOnly: { type: "rule", values: this.COLOURS } }) : [];
    return { found, looks: fresh.map(([look]) => look) };
  },

  async axe(context, options) {
    const { violations } = await axe.run(context, { ...options, resultTypes: ["violations"], iframes: false });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, html, failureSummary }) => `${id}: ${target} ${html.slice(0, 200)}: ${failureSummary}`));
  },

  /* Elements with text, one for all that have the same colours, size and weight, those behind them included. */
  looks() {
    const behind = new Map();
    const backgrounds = (element) => {
      if (!element) return "";
      if (!behind.has(element)) {
        const { backgroundColor, backgroundImage, opacity } = getComputedStyle(element);
        const own = [backgroundColor, backgroundImage, opacity].join(" ");
        const rest = backgrounds(element.parentElement);
        behind.set(element, own === "rgba(0, 0, 0, 0) none 1" ? rest : `${own} on ${rest}`);
      }
      return behind.get(element);
    };
    const look = (element) => {
      const { color, fontSize, fontWeight, textDecorationLine } = getComputedStyle(element);
      return [color, fontSize, fontWeight, textDecorationLine, backgrounds(element)].join(" ");
    };
    const found = new Map();
    for (const element of document.body.querySelectorAll("*")) {
      const says = element.matches("input, textarea, select");
      if (!says && ![...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim())) continue;
      if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      const link = element.closest("a[href]");
      const key = link ? `${look(element)} in ${look(link)} in ${look(link.parentElement)}` : look(element);
      if (!found.has(key)) found.set(key, link ?? element);
    }
    return found;
  },

  /* What sticks out at the side of the page, or of its content, which furo lets scroll on a phone. */
  wide() {
    const scrolled = [document.documentElement, document.querySelector(".content")];
    const box = scrolled.find((one) => one && one.scrollWidth > one.clientWidth);
    if (!box) return [];
    const out = [...box.querySelectorAll("*")].filter((one) => one.getBoundingClientRect().right > innerWidth + 0.5);
    return [`${box.scrollWidth} pixels wide at ${innerWidth}: ${out.at(-1)?.outerHTML.slice(0, 200)}`];
  },

  /* What has the focus, if anything on the page: whether there is a line around it, and it lies in sight, with nothing
     before it. Of a switch that is not shown itself its label. */
  focused() {
    const element = document.activeElement;
    if (element === document.body) return null;
    const shown = getComputedStyle(element).opacity === "0" ? element.labels[0] : element;
    const { outlineStyle, outlineWidth } = getComputedStyle(shown);
    const { left, top, right, bottom } = shown.getBoundingClientRect();
    const [x, y] = [(Math.max(left, 0) + Math.min(right, innerWidth)) / 2, (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2];
    const there = [[x, y], [left + 2, top + 2], [right - 2, bottom - 2]].map(([x, y]) => document.elementFromPoint(x, y));
    return {
      what: element.outerHTML.slice(0, 200),
      outlined: outlineStyle !== "none" && parseFloat(outlineWidth) >= 2,
      seen: there.some((one) => one && (shown.contains(one) || one.contains(shown))),
    };
  },
};
