// What was handed over, as files by path. Their bytes stay as they are.

/** The most files and folders. */
const MOST_ENTRIES = 20_000;

/** Reads files, and what lies in a zip that was handed over by itself. */
async function taken(files, folders, room) {
  const total = files.reduce((sum, { file }) => sum + file.size, 0);
  if (total > room) {
    const what = files.length === 1 ? `${files[0].path} has` : `these ${files.length} files have`;
    throw new Trouble(`${what} ${bytesInWords(total)}, and at most ${bytesInWords(room)} are taken; ${LESS}`);
  }
  const entries = new Map(folders.map((path) => [path, { kind: "directory" }]));
  let left = room;
  for (const { path, file } of files) {
    const bytes = await bytesOf(path, file);
    if (path.includes("/") || !isZip(bytes)) {
      put(entries, path, { bytes });
      continue;
    }
    const below = files.length === 1 && folders.length === 0 ? "" : `${path.replace(/\.zip$/i, "")}/`;
    for (const [name, entry] of await unzipped(bytes, left)) {
      put(entries, below + name, entry);
      left -= entry.bytes?.length ?? 0;
    }
  }
  return withoutTop(entries);
}

async function bytesOf(path, file) {
  try {
    return new Uint8Array(await file.arrayBuffer());
  } catch (error) {
    throw new Trouble(`${path} cannot be read (${error}); choose it again`);
  }
}

function put(entries, path, entry) {
  if (entries.has(path)) {
    throw new Trouble(`there are two files of the name ${path}; put them into a folder and drop that`);
  }
  if (entries.size >= MOST_ENTRIES) {
    throw new Trouble(`there are more than ${MOST_ENTRIES} files; ${LESS}`);
  }
  entries.set(path, entry);
}

/** Paths in a folder that holds everything are counted from there. */
function withoutTop(entries) {
  const tops = new Set([...entries.keys()].map((path) => path.split("/")[0]));
  const [top] = tops;
  if (tops.size !== 1 || top === ".." || (entries.has(top) && entries.get(top).kind !== "directory")) {
    return entries;
  }
  const below = [...entries].filter(([path]) => path !== top);
  return new Map(below.map(([path, entry]) => [path.slice(top.length + 1), entry]));
}

/** Files with their outlines, those at the top first. */
function outlined(entries) {
  const files = [...entries].filter(([, entry]) => entry.bytes !== undefined);
  files.sort(([one], [other]) => depthOf(one) - depthOf(other) || (one < other ? -1 : 1));
  return files.map(([path, { bytes }]) => ({ path, size: bytes.length, outline: outline(bytes) }));
}
