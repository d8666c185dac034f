/** Finds special entries of an index: nested repositories, files in conflict, and files that git was told to ignore. */
import { createHash } from "node:crypto";

const ENTRIES_AT = 12;
/** The size of the times, device and inode, which come before the mode of an entry. */
const MODE_AT = 24;
const GITLINK = 0o160000;
const GITLINK_BYTES = Buffer.from([0, 0, 0xe0, 0]);
const LONG_NAME = 0xfff;
const MAX_PATH_LENGTH = 65_536;
const EXTENDED = 0x4000;
const STAGE = 0x3000;
/** Set by `git update-index --assume-unchanged` and by `core.ignoreStat`. */
const ASSUMED = 0x8000;
/** Set by `--skip-worktree`, in the second flags. */
const SKIPPED = 0x4000;

/** Whether the index is unchanged, by the checksum at its end. Git may write zeros there, and checks neither. */
export function isWhole(index: Buffer, idBytes: 20 | 32): boolean {
  const end = index.length - idBytes;
  if (end < ENTRIES_AT) return false;
  const sum = index.subarray(end);
  if (sum.every((byte) => byte === 0)) return true;
  const written = createHash(idBytes === 20 ? "sha1" : "sha256").update(index.subarray(0, end));
  return written.digest().equals(sum);
}

/** The paths of some entries. Null if the bytes are not an index: then nothing is known. */
export type PathsOf = (index: Buffer, idBytes: 20 | 32) => readonly string[] | null;

/**
 * The repositories that an index holds as entries: submodules, and any other nested repository that was added. Paths
 * are relative to the top of the working tree. It reads versions 2, 3 and 4, with ids of either length.
 */
export const gitlinksOf: PathsOf = (index, idBytes) => {
  const shape = shapeOf(index, idBytes);
  // Most repositories have no such entry, and this check costs almost nothing.
  if (shape === null || !index.includes(GITLINK_BYTES, ENTRIES_AT)) return shape && [];
  return walk(index, shape, ({ mode }) => mode === GITLINK);
};

/**
 * The same repositories, plus files in conflict (once for each side) and files that git does not check. `git rm`
 * deletes all of these with any changes.
 */
export const unguardedOf = pathsOf(
  ({ mode, flags, more }) => mode === GITLINK || (flags & (STAGE | ASSUMED)) !== 0 || (more & SKIPPED) !== 0,
);

/** Files that git assumes unchanged, even if they are changed. */
export const assumedOf = pathsOf(({ flags }) => (flags & ASSUMED) !== 0);

/** All other entries: files and symbolic links. */
export const filesOf = pathsOf(({ mode }) => mode !== GITLINK);

interface Marks {
  readonly mode: number;
  readonly flags: number;
  /** The second flags; 0 if there are none. */
  readonly more: number;
}

function pathsOf(isWanted: (entry: Marks) => boolean): PathsOf {
  return (index, idBytes) => {
    const shape = shapeOf(index, idBytes);
    return shape && walk(index, shape, isWanted);
  };
}

function shapeOf(index: Buffer, idBytes: number): Shape | null {
  if (index.length < ENTRIES_AT || index.toString("latin1", 0, 4) !== "DIRC") return null;
  const version = index.readUInt32BE(4);
  return version < 2 || version > 4 ? null : { version, count: index.readUInt32BE(8), idBytes };
}

interface Shape {
  readonly version: number;
  readonly count: number;
  readonly idBytes: number;
}

function walk(
  index: Buffer,
  { version, count, idBytes }: Shape,
  isWanted: (entry: Marks) => boolean,
): readonly string[] | null {
  const found: string[] = [];
  let previous: Bytes = Buffer.alloc(0);
  let at = ENTRIES_AT;
  for (let number = 0; number < count; number++) {
    const flagsAt = at + MODE_AT + 16 + idBytes;
    if (flagsAt + 4 > index.length) return null;
    const flags = index.readUInt16BE(flagsAt);
    const pathAt = flagsAt + ((flags & EXTENDED) === 0 ? 2 : 4);
    const entry = version === 4 ? shortened(index, pathAt, previous) : plain(index, { at, pathAt, flags });
    if (entry === null) return null;
    // No system allows a longer path, and copies of ever longer paths would never end.
    if (entry.path.length > MAX_PATH_LENGTH) return null;
    const mode = index.readUInt32BE(at + MODE_AT);
    const more = (flags & EXTENDED) === 0 ? 0 : index.readUInt16BE(flagsAt + 2);
    if (isWanted({ mode, flags, more })) found.push(entry.path.toString("utf8"));
    previous = entry.path;
    at = entry.next;
  }
  return found;
}

type Bytes = Buffer<ArrayBufferLike>;

interface Entry {
  readonly path: Bytes;
  readonly next: number;
}

/** Versions 2 and 3: the whole path, then zeros up to a multiple of eight. */
function plain(
  index: Buffer,
  { at, pathAt, flags }: { readonly at: number; readonly pathAt: number; readonly flags: number },
): Entry | null {
  const nameLength = flags & LONG_NAME;
  const end = nameLength < LONG_NAME ? pathAt + nameLength : index.indexOf(0, pathAt);
  if (end < pathAt || end > index.length) return null;
  return { path: index.subarray(pathAt, end), next: at + ((end - at + 8) & ~7) };
}

/** Version 4: how many bytes of the previous path to remove, then the new bytes. */
function shortened(index: Buffer, pathAt: number, previous: Bytes): Entry | null {
  let at = pathAt;
  let byte = index[at] ?? 0;
  let dropped = byte & 0x7f;
  while ((byte & 0x80) !== 0) {
    at += 1;
    byte = index[at] ?? 0;
    dropped = ((dropped + 1) << 7) | (byte & 0x7f);
  }
  const end = index.indexOf(0, at + 1);
  if (end < 0 || dropped > previous.length) return null;
  const kept = previous.subarray(0, previous.length - dropped);
  return { path: Buffer.concat([kept, index.subarray(at + 1, end)]), next: end + 1 };
}
