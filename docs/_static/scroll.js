// What scrolls inside itself can be focused, so that the arrow keys reach all of it; not every browser sees to that.

(() => {
  "use strict";

  const observer = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
      else target.removeAttribute("tabindex");
    }
  });

  const boxes = document.querySelectorAll("article :is(pre, .table-wrapper, figure, .memory)");
  for (const box of boxes) observer.observe(box);
})();
