// A button on code and on the message of an error page copies it, without prompts, outputs and line numbers.
// A click on the tick of a claim, which is its permanent link, copies the whole address.

(() => {
  "use strict";

  const LEFT_OUT = ".gp, .go, .linenos, .copy"; // Pygments' prompts and outputs
  const SHOWN = 1500; // milliseconds

  const status = Object.assign(document.createElement("span"), { className: "visually-hidden" });
  status.setAttribute("role", "status");

  const textOf = (block) => {
    const copy = block.cloneNode(true);
    for (const part of copy.querySelectorAll(LEFT_OUT)) part.remove();
    return copy.textContent.trimEnd();
  };

  const copy = async (text, say) => {
    const said = await navigator.clipboard.writeText(text).then(() => "copied", () => "not copied");
    status.textContent = said;
    say(said);
    setTimeout(() => { status.textContent = ""; say(""); }, SHOWN);
  };

  const addButton = (block) => {
    const place = block.matches("pre") ? block.parentElement : block; // a pre scrolls, its button stays
    const button = Object.assign(document.createElement("button"), { type: "button", className: "copy", textContent: "copy" });
    button.addEventListener("click", () => copy(textOf(block), (said) => { button.textContent = said || "copy"; }));
    place.classList.add("copyable");
    place.append(button);
  };

  if (!navigator.clipboard) return; // it is there where the site is served safely, and in files
  document.body.append(status);
  for (const block of document.querySelectorAll("div.highlight > pre, article > section > p.message, .faces p.message")) {
    if (!block.closest(".cell_output")) addButton(block);
  }
  for (const tick of document.querySelectorAll("a.tick")) {
    tick.addEventListener("click", () => copy(tick.href, (said) => { tick.dataset.said = said && `link ${said}`; }));
  }
})();
