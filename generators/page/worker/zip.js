// Reads a zip as it is: no entry is renamed, left out or put elsewhere. Whether a path is lawful is the verifier's business.

const END = 0x06054b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;
const END_LENGTH = 22;
const LONGEST_COMMENT = 0xffff;
const STORED = 0;
const DEFLATED = 8;
const UNIX = 3;
const KIND_OF_FILE = 0o170000;
const LINK = 0o120000;

const isZip = (bytes) => bytes.length >= END_LENGTH && [LOCAL, END].includes(view(bytes).getUint32(0, true));

const view = (bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** The entries of a zip: bytes, folders and links, by path. They have at most so many bytes together. */
async function unzipped(bytes, room) {
  const entries = new Map();
  const all = [...listed(bytes)];
  // Before anything is unpacked; each entry is held to its length then.
  if (all.reduce((sum, entry) => sum + entry.length, 0) > room) {
    throw new Trouble(`the zip unpacks to more than ${bytesInWords(room)}; ${LESS}`);
  }
  for (const entry of all) {
    const path = entry.name.endsWith("/") ? entry.name.slice(0, -1) : entry.name;
    if (entries.has(path)) {
      throw new Trouble(`the zip holds two entries of the name ${path}; pack it anew`);
    }
    const content = await contentOf(bytes, entry);
    if (path !== entry.name) {
      entries.set(path, { kind: "directory" });
    } else if (entry.isLink) {
      entries.set(path, { kind: "symlink", to: textOf(content, `where ${path} leads`) });
    } else {
      entries.set(path, { bytes: content });
    }
  }
  return entries;
}

/** What the directory at the end says. */
function* listed(bytes) {
  const data = view(bytes);
  const end = endOf(bytes, data);
  const count = data.getUint16(end + 10, true);
  let at = data.getUint32(end + 16, true);
  if (count === 0xffff || at === 0xffffffff) {
    throw new Trouble("the zip is of the large kind (zip64), which is not read here; unpack it and choose the folder");
  }
  for (let number = 0; number < count; number += 1) {
    if (at + 46 > end || data.getUint32(at, true) !== CENTRAL) {
      throw damaged("its directory ends too early");
    }
    const flags = data.getUint16(at + 8, true);
    const nameLength = data.getUint16(at + 28, true);
    const next = at + 46 + nameLength + data.getUint16(at + 30, true) + data.getUint16(at + 32, true);
    if (next > end) {
      throw damaged("its directory ends too early");
    }
    const name = textOf(bytes.subarray(at + 46, at + 46 + nameLength), "the name of an entry");
    const packed = data.getUint32(at + 20, true);
    const length = data.getUint32(at + 24, true);
    if ((flags & 1) !== 0) {
      throw new Trouble(`${name} is encrypted; unpack the zip and choose the folder`);
    }
    if (packed === 0xffffffff || length === 0xffffffff) {
      throw new Trouble("the zip is of the large kind (zip64), which is not read here; unpack it and choose the folder");
    }
    const mode = data.getUint32(at + 38, true) >>> 16;
    yield {
      name,
      spelled: bytes.subarray(at + 46, at + 46 + nameLength),
      packed,
      length,
      method: data.getUint16(at + 10, true),
      sum: data.getUint32(at + 16, true),
      place: data.getUint32(at + 42, true),
      isLink: data.getUint16(at + 4, true) >>> 8 === UNIX && (mode & KIND_OF_FILE) === LINK,
    };
    at = next;
  }
  // Other readers go by the directory's end, and would see more.
  if (at !== end) {
    throw damaged("its directory holds more than it says");
  }
}

/** Where the directory's end is: nothing but a comment follows it. */
function endOf(bytes, data) {
  const first = Math.max(0, bytes.length - END_LENGTH - LONGEST_COMMENT);
  for (let at = bytes.length - END_LENGTH; at >= first; at -= 1) {
    if (data.getUint32(at, true) === END && at + END_LENGTH + data.getUint16(at + 20, true) === bytes.length) {
      return at;
    }
  }
  throw damaged("it has no directory");
}

async function contentOf(bytes, entry) {
  const data = view(bytes);
  const { place, packed, length, method, name, spelled } = entry;
  if (place + 30 > bytes.length || data.getUint32(place, true) !== LOCAL) {
    throw damaged(`${name} is not where it should be`);
  }
  const behind = place + 30 + data.getUint16(place + 26, true);
  const from = behind + data.getUint16(place + 28, true);
  if (from + packed > bytes.length) {
    throw damaged(`${name} is cut off`);
  }
  const told = bytes.subarray(place + 30, behind);
  if (told.length !== spelled.length || told.some((byte, at) => byte !== spelled[at])) {
    throw damaged(`${name} has another name where it lies`);
  }
  const content = bytes.subarray(from, from + packed);
  if (method !== STORED && method !== DEFLATED) {
    throw new Trouble(`${name} is packed in a way that is not read here (${method}); unpack the zip and choose the folder`);
  }
  const plain = method === STORED ? content : await inflated(content, length, name);
  if (plain.length !== length || crc32(plain) !== entry.sum) {
    throw damaged(`${name} has other bytes than it says`);
  }
  return plain;
}

/** What was deflated; never more than it says of itself. */
async function inflated(content, length, name) {
  const plain = new Uint8Array(length);
  const reader = new Blob([content]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  let at = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) {
        return plain.subarray(0, at);
      }
      if (at + value.length > length) {
        await reader.cancel();
        break;
      }
      plain.set(value, at);
      at += value.length;
    }
  } catch (error) {
    throw damaged(`${name} cannot be unpacked: ${error}`);
  }
  throw damaged(`${name} is longer than it says`);
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte;
  for (let bit = 0; bit < 8; bit += 1) {
    sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  }
  return sum;
});

function crc32(bytes) {
  let sum = 0xffffffff;
  for (let at = 0; at < bytes.length; at += 1) {
    sum = CRC_TABLE[(sum ^ bytes[at]) & 0xff] ^ (sum >>> 8);
  }
  return (sum ^ 0xffffffff) >>> 0;
}

const damaged = (why) => new Trouble(`the zip is damaged: ${why}; pack it anew`);

function textOf(bytes, what) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Trouble(`${what} is not UTF-8; unpack the zip and choose the folder`);
  }
}
