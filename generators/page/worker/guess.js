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

/** The first question that what is there can be the subject of: operation, arguments, documents by path, and the folder. */
function guess({ kinds, questions }, files, folders) {
  for (const { op, args, in: documents, root, narrow } of questions) {
    const docs = {};
    for (const [name, kind] of Object.entries(documents ?? {})) {
      const taken = Object.values(docs);
      docs[name] = files.find(({ path, outline }) => !taken.includes(path) && isOfKind(kinds[kind], outline))?.path;
    }
    let folder = root;
    if (typeof root === "string") {
      const fits = ([, members]) => isOfKind(kinds[root], { is: "folder", members: [...members] });
      folder = [...folders].find(fits)?.[0];
    }
    if (!Object.values(docs).includes(undefined) && (typeof root !== "string" || folder !== undefined)) {
      return { op, args: args ?? {}, docs, root: folder === undefined ? "" : folder, narrow };
    }
  }
  return undefined;
}
