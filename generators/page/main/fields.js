// The question as a form: what is asked, about which files, with which arguments. All of it follows from the declarations.

const EMPTY_FOLDER = "\u0000";

/** The operations by system, to choose from. */
function fillOperations(operations) {
  const select = byId("op");
  for (const system of new Set(operations.map((operation) => operation.system))) {
    const group = element("optgroup", { label: system });
    for (const { name, summary } of operations.filter((operation) => operation.system === system)) {
      group.append(element("option", { value: name }, `${name}: ${summary}`));
    }
    select.append(group);
  }
}

/** A field with its label, and below it what the declaration says of it. */
function field(id, label, control, hint) {
  control.id = id;
  control.setAttribute("aria-describedby", `${id}-hint`);
  return element(
    "div",
    { class: "field" },
    element("label", { for: id }, label),
    control,
    element("p", { class: "hint", id: `${id}-hint` }, hint),
  );
}

/** Lays out the fields of an operation. `chosen` is what was guessed. */
function layOut(operation, taken, chosen) {
  const place = byId("fields");
  place.replaceChildren();
  for (const { name, required, description } of operation.in) {
    const control = element("select", {}, ...(required ? [] : [element("option", { value: "" }, "none")]));
    control.append(...taken.files.map(({ path }) => element("option", { value: path }, path)));
    const wanted = chosen.docs[name] ?? (required ? taken.files[0]?.path : "");
    control.value = wanted ?? "";
    place.append(field(`in-${name}`, name, control, description));
  }
  if (operation.root) {
    const control = element("select", {}, element("option", { value: EMPTY_FOLDER }, "an empty folder"));
    control.append(
      ...taken.folders.map((path) => element("option", { value: path }, path === "" ? "all that was dropped" : path)),
    );
    control.value = chosen.root ?? EMPTY_FOLDER;
    place.append(field("root", "folder", control, operation.root_description));
  }
  for (const argument of operation.args) {
    place.append(argumentField(argument, chosen.args[argument.name]));
  }
}

function argumentField({ name, type, required, values, description }, value) {
  const id = `arg-${name}`;
  if (type === "array" && values !== undefined) {
    const boxes = values.map((each) =>
      element("label", { class: "box" }, element("input", { type: "checkbox", value: each, "data-of": id }), ` ${each}`),
    );
    const legend = element("legend", {}, name);
    return element("fieldset", { class: "field", id }, legend, ...boxes, element("p", { class: "hint" }, description));
  }
  const hint = required ? description : `${description} May be left out.`;
  if (values !== undefined) {
    const control = element("select", {}, ...(required ? [] : [element("option", { value: "" }, "not given")]));
    control.append(...values.map((each) => element("option", { value: each }, each)));
    control.value = value ?? (required ? values[0] : "");
    return field(id, name, control, hint);
  }
  if (type === "string") {
    return field(id, name, element("input", { type: "text", autocomplete: "off", spellcheck: "false" }), hint);
  }
  return field(id, name, element("textarea", { rows: "3", spellcheck: "false" }), `${hint} A JSON value.`);
}

/** The question that the form says. Arguments are JSON texts; one that is none is an error with what to do. */
function questionIn(operation) {
  const [args, docs] = [{}, {}];
  for (const { name, required } of operation.in) {
    const path = byId(`in-${name}`).value;
    if (path !== "") {
      docs[name] = path;
    } else if (required) {
      throw new Error(`${name} is missing: drop a file for it`);
    }
  }
  for (const { name, type, required, values } of operation.args) {
    const control = byId(`arg-${name}`);
    if (type === "array" && values !== undefined) {
      const boxes = [...control.querySelectorAll("input:checked")].map((box) => box.value);
      if (boxes.length > 0 || required) {
        args[name] = JSON.stringify(boxes);
      }
    } else if (type === "string" || values !== undefined) {
      if (control.value !== "" || required) {
        args[name] = JSON.stringify(control.value);
      }
    } else if (control.value.trim() !== "" || required) {
      args[name] = jsonText(name, control.value);
    }
  }
  const root = operation.root ? byId("root").value : "";
  return { op: operation.name, args, docs, root: root === EMPTY_FOLDER ? null : root };
}

function jsonText(name, text) {
  try {
    JSON.parse(text);
    return text;
  } catch (error) {
    throw new Error(`${name} is no JSON value (${error.message}); correct it`);
  }
}

/** Whether nothing is left that only people can say. */
function isComplete(operation, chosen) {
  const free = operation.args.some(({ required, values }) => required && values === undefined);
  return !free && operation.in.every(({ name, required }) => !required || chosen.docs[name] !== undefined);
}
