// From what a browser hands over to files by path. Their bytes are read in the worker.

/** Files of an input: those of a folder say their path in it. */
function filesOf(list) {
  return [...list].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
}

/** Everything that was dropped, with what lies in folders. */
async function filesIn(transfer) {
  // Before anything is waited for: what is dropped is gone afterwards.
  const items = [...transfer.items].filter(({ kind }) => kind === "file");
  const roots = items.map((item) => {
    const entry = item.webkitGetAsEntry?.();
    // In some browsers a page that lies on the disk gets no file out of an entry, and gets it out of a handle.
    const handle = entry?.isDirectory ? item.getAsFileSystemHandle?.() : undefined;
    return { file: item.getAsFile(), entry, handle };
  });
  const found = { files: [], folders: [] };
  for (const { file, entry, handle } of roots) {
    if (entry?.isDirectory) {
      try {
        await (handle === undefined ? walkEntry(entry, found) : walkHandle(await handle, entry.name, found));
      } catch (error) {
        throw new Error(`the folder ${entry.name} cannot be read (${error.message}); choose it with the button, or drop a zip of it`);
      }
    } else if (file !== null) {
      found.files.push({ path: file.name, file });
    }
  }
  return found;
}

async function walkHandle(folder, path, found) {
  found.folders.push(path);
  for await (const [name, inside] of folder.entries()) {
    const place = `${path}/${name}`;
    if (inside.kind === "directory") {
      await walkHandle(inside, place, found);
    } else {
      found.files.push({ path: place, file: await inside.getFile() });
    }
  }
}

async function walkEntry(entry, found) {
  const path = entry.fullPath.replace(/^\//, "");
  if (entry.isFile) {
    found.files.push({ path, file: await new Promise((done, broken) => entry.file(done, broken)) });
    return;
  }
  found.folders.push(path);
  const reader = entry.createReader();
  for (;;) {
    // A folder is told in parts; an empty part is the end.
    const some = await new Promise((done, broken) => reader.readEntries(done, broken));
    if (some.length === 0) {
      return;
    }
    for (const inside of some) {
      await walkEntry(inside, found);
    }
  }
}
