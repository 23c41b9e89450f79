// What was handed over, as files by path. Their bytes stay as they are.

/** The most files and folders. */
const MOST_ENTRIES = 20_000;

/** The most characters of a path, and of all paths together with those of the folders on their way. */
const MOST_PATH = 4096;
const MOST_WAYS = 32 * 1024 * 1024;

/** Reads files, and what lies in a zip that was handed over by itself. */
async function taken(files, folders, room) {
  const total = files.reduce((sum, { file }) => sum + file.size, 0);
  if (total > room) {
    const what = files.length === 1 ? `${files[0].path} has` : `these ${files.length} files have`;
    throw new Trouble(`${what} ${bytesInWords(total)}, and at most ${bytesInWords(room)} are taken; ${LESS}`);
  }
  const entries = new Map(folders.map((path) => [path, { kind: "directory" }]));
  const refuse = guard();
  folders.forEach(refuse);
  let left = room;
  for (const { path, file } of files) {
    const bytes = await bytesOf(path, file);
    if (path.includes("/") || !isZip(bytes)) {
      put(entries, path, { bytes }, refuse);
      continue;
    }
    const below = files.length === 1 && folders.length === 0 ? "" : `${path.replace(/\.zip$/i, "")}/`;
    for (const [name, entry] of await unzipped(bytes, left)) {
      put(entries, below + name, entry, refuse);
      left -= entry.bytes?.length ?? 0;
    }
  }
  return entries;
}

async function bytesOf(path, file) {
  try {
    return new Uint8Array(await file.arrayBuffer());
  } catch (error) {
    throw new Trouble(`${path} cannot be read (${error}); choose it again`);
  }
}

/** Refuses paths that cost more than people's do: each folder on the way to a file is one to choose. */
function guard() {
  let ways = 0;
  return (path) => {
    ways += path.length * depthOf(path);
    if (path.length > MOST_PATH || ways > MOST_WAYS) {
      throw new Trouble(`paths are too long or too deep (${path.slice(0, 60)}...); ${LESS}`);
    }
  };
}

function put(entries, path, entry, refuse) {
  refuse(path);
  if (entries.has(path)) {
    throw new Trouble(`there are two files of the name ${path}; put them into a folder and drop that`);
  }
  if (entries.size >= MOST_ENTRIES) {
    throw new Trouble(`there are more than ${MOST_ENTRIES} files; ${LESS}`);
  }
  entries.set(path, entry);
}

/** Files with their outlines, those at the top first. */
function outlined(entries) {
  const files = [...entries].filter(([, entry]) => entry.bytes !== undefined);
  files.sort(([one], [other]) => depthOf(one) - depthOf(other) || (one < other ? -1 : 1));
  return files.map(([path, { bytes }]) => ({ path, size: bytes.length, outline: outline(bytes) }));
}
