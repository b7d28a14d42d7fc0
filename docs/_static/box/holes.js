/* Templates of messages: their pieces and holes, what stands in the holes, and the message in plain words. */
(function (site) {
  "use strict";

  /* The pieces of a template between its holes, and the names of the holes; a doubled brace is a brace. */
  function parseTemplate(template) {
    const pieces = [""];
    const holes = [];
    for (const [part, name] of template.matchAll(/\{\{|\}\}|\{([a-z_0-9]+)(?::[dw])?\}|[^{}]+|./gs)) {
      if (name) {
        holes.push(name);
        pieces.push("");
      } else {
        pieces[pieces.length - 1] += part === "{{" ? "{" : part === "}}" ? "}" : part;
      }
    }
    return { pieces, holes };
  }

  /* What stands in the holes of a wording, as far as its pieces are found, in order, in a part of a text; and how many
     characters of these pieces are there as they are. */
  function holesOf(part, wording) {
    const plain = site.plain(part);
    const holes = {};
    let [at, exact] = [0, 0];
    for (const [number, piece] of wording.pieces.entries()) {
      const last = number === wording.pieces.length - 1;
      const [next, end] = last && !piece.trim() ? [plain.length, plain.length] : placeOf(piece, plain, at);
      if (next < 0) break;
      if (number) {
        const hole = plain.slice(at, next);
        holes[wording.holes[number - 1]] = number === 1 && !wording.pieces[0].trim() ? lastWord(hole) : hole.trim();
      }
      exact += end - next;
      at = end;
    }
    return { holes, exact };
  }

  /* Where a piece begins and ends, or its first words where the text is cut or goes on in other words; or -1. */
  function placeOf(piece, plain, from) {
    const whole = piece.replace(/\s+/g, " ");
    const starts = [whole, /^ ?\S+ \S+ \S+/.exec(whole)?.[0], /^ ?\S*[a-z]\S*/.exec(whole)?.[0]];
    for (const start of starts.filter(Boolean)) {
      const at = plain.indexOf(start, from);
      if (at >= 0) return [at, at + start.length];
    }
    return [-1, -1];
  }

  const lastWord = (text) => text.slice(text.trimEnd().lastIndexOf(" ") + 1).trim();

  const TIMES = ["never", "once", "twice"];

  /* A message in plain words, or nothing where a hole of it is not known. */
  function say(says, holes) {
    let known = true;
    const text = says.replace(/\{([a-z_]+)(?:-([a-z_]+))?(?::(op|times))?\}/g, (_, one, other, kind) => {
      if (!(one in holes) || (other && !(other in holes))) known = false;
      if (kind === "op") return operationOf(holes[one] || "");
      if (!other) return holes[one];
      const count = holes[one] - holes[other];
      if (!Number.isInteger(count) || count < 0) known = false;
      return TIMES[count] || `${count} times`;
    });
    return known ? text : "";
  }

  /* The operation of an autograd node: `exp` for ExpBackward0. */
  function operationOf(node) {
    const name = node.replace(/^.*:/, "").replace(/Backward\d*$/, "");
    return name.replace(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase();
  }

  Object.assign(site, { parseTemplate, holesOf, say });
})((globalThis.autogradInPlace ??= {}));
