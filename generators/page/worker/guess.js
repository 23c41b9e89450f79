// Which question is meant, by the shape of what was handed over. A guess: people may choose another.

/** Whether something of these names is of a kind. */
function isOfKind(kind, { is, begin, members }) {
  if (kind.like !== undefined) {
    return begin !== undefined && new RegExp(kind.like).test(begin);
  }
  return kind.is === is && kind.of.filter((name) => members.includes(name)).length >= kind.least;
}

/** Folders of a tree, from the top down, each with the paths that lie in it. */
function foldersOf(entries) {
  const folders = new Map([["", new Set()]]);
  for (const [path, entry] of entries) {
    const names = path.split("/");
    for (let depth = 0; depth < names.length; depth += 1) {
      const folder = names.slice(0, depth).join("/");
      const seen = folders.get(folder) ?? new Set();
      seen.add(names.slice(depth, depth + 1).join("/")).add(names.slice(depth, depth + 2).join("/"));
      folders.set(folder, seen);
    }
    if (entry.kind === "directory" && !folders.has(path)) {
      folders.set(path, new Set());
    }
  }
  return new Map([...folders].sort(([one], [other]) => depthOf(one) - depthOf(other) || (one < other ? -1 : 1)));
}

const depthOf = (path) => (path === "" ? 0 : path.split("/").length);

/**
 * The first question that what is there can be the subject of: operation, arguments, documents by path, and the folder. `unsure`
 * says why people have to look at it first.
 */
function guess({ kinds, questions }, files, folders) {
  for (const { op, args, in: documents, root, narrow } of questions) {
    const docs = {};
    let unsure;
    for (const [name, kind] of Object.entries(documents ?? {})) {
      const taken = Object.values(docs);
      // A line of text says little: it is one if nothing else was handed over.
      const fitting = files.filter(({ outline }) => (kinds[kind].like === undefined || files.length === 1) && isOfKind(kinds[kind], outline));
      const same = Object.values(documents).filter((other) => other === kind).length;
      unsure ??= fitting.length > same ? `${fitting.length} files could be ${name}` : undefined;
      docs[name] = fitting.find(({ path }) => !taken.includes(path))?.path;
    }
    if (Object.values(docs).includes(undefined)) {
      continue;
    }
    let folder = root;
    if (typeof root === "string") {
      const fitting = [...folders].filter(([, members]) => isOfKind(kinds[root], { is: "folder", members: [...members] }));
      unsure ??= fitting.length > 1 ? `${fitting.length} folders could be it` : undefined;
      folder = fitting[0]?.[0];
      if (folder === undefined) {
        continue;
      }
    } else if (root === undefined) {
      // Files lie where the documents do that name them.
      const places = new Set(Object.values(docs).map(folderOf));
      unsure ??= places.size > 1 ? "the documents lie in different folders, and files are looked for in one" : undefined;
      folder = [...places][0] ?? "";
    }
    return { op, args: args ?? {}, docs, root: folder, narrow, unsure };
  }
  return undefined;
}

const folderOf = (path) => path.slice(0, Math.max(0, path.lastIndexOf("/")));
