// Elements of the page, made without markup: what a file says never becomes markup.

const byId = (id) => document.getElementById(id);

/** An element with attributes and children; a child that is nothing is left out. */
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) {
    if (value === true) {
      made.setAttribute(attribute, "");
    } else if (value !== undefined && value !== false) {
      made.setAttribute(attribute, value);
    }
  }
  made.append(...children.filter((child) => child !== undefined && child !== ""));
  return made;
}

const counted = (count, one, many) => `${count} ${count === 1 ? one : many}`;

/** What is said to everybody, those who hear the page included. */
function say(text) {
  byId("status").classList.remove("hidden");
  byId("status").textContent = text;
}

/** Says what those who see the page see elsewhere. */
function tell(text) {
  say(text);
  byId("status").classList.add("hidden");
}

/** Says what went wrong and what to do; without a word nothing is wrong any more. */
function complain(text) {
  byId("trouble").textContent = text ?? "";
  byId("trouble").hidden = text === undefined;
}
