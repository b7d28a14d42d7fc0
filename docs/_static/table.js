// Sorts and filters the tables that were made by running: a click on a column's name, a word in the field above.

(() => {
  "use strict";

  const text = (row, column) => row.cells[column].textContent.trim();

  const number = (value) => (/^-?[\d,.]+$/.test(value) ? Number(value.replaceAll(",", "")) : NaN);

  const compare = (one, other) => {
    const [a, b] = [number(one), number(other)];
    if (!Number.isNaN(a) && !Number.isNaN(b)) return a - b;
    return one.localeCompare(other, "en");
  };

  const sort = (table, column, down) => {
    const rows = [...table.tBodies[0].rows];
    rows.sort((a, b) => compare(text(a, column), text(b, column)) * (down ? -1 : 1));
    table.tBodies[0].append(...rows);
  };

  const addSorting = (table) => {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.querySelector("p").childNodes);
      head.querySelector("p").replaceWith(button);
      head.scope = "col";
      button.addEventListener("click", () => {
        const down = head.getAttribute("aria-sort") === "ascending";
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        sort(table, column, down);
      });
    });
  };

  const addFilter = (table, filter) => {
    const [field, count] = [filter.querySelector("input"), filter.querySelector("[role=status]")];
    const rows = [...table.tBodies[0].rows];
    field.addEventListener("input", () => {
      const words = field.value.toLowerCase().split(/\s+/);
      for (const row of rows) row.hidden = !words.every((word) => row.textContent.toLowerCase().includes(word));
      count.textContent = field.value ? ` ${rows.filter((row) => !row.hidden).length} of ${rows.length}` : "";
    });
  };

  for (const table of document.querySelectorAll("table.measured")) {
    addSorting(table);
    addFilter(table, (table.closest(".table-wrapper") ?? table).previousElementSibling);
  }
})();
