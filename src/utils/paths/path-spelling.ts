/** Checks the spelling of a path by the rules of a platform, before any access to the disk. */
import { posix, win32 } from "node:path";

interface SpellingRules {
  /** Real absolute folder from which a relative path starts. */
  readonly root: string;
  readonly platform: NodeJS.Platform;
  /** Whether an absolute path is allowed at all. Its target is checked elsewhere. */
  readonly absolute: "accepted" | "refused";
}

type Spelling =
  | {
      readonly ok: true;
      /** Absolute, with the separators of the platform. Not shortened: `out/../x` must follow the link `out`. */
      readonly path: string;
    }
  | {
      readonly ok: false;
      /** What is wrong with it, to be put behind the path. */
      readonly flaw: string;
    };

/** In UTF-16 units; for Linux the limit is in bytes. */
const MAX_PATH_LENGTH = 4096;
/** The limit of common file systems for one name: bytes, or UTF-16 units on Windows. */
const MAX_NAME_LENGTH = 255;
/** How a path begins that names a drive or a share: the same text names different things on different systems. */
const DRIVE_OR_SHARE = /^(?:[a-zA-Z]:|\/\/)/;
const DRIVE_ROOT = /^[a-zA-Z]:\//;
/** `\\?\` and `\\.\` switch off the checks of Windows. */
const DEVICE = /^\/\/[?.](?:\/|$)/;
/** Names that are devices in every folder of Windows, with any text after a dot. */
const WINDOWS_DEVICE =
  /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3]) *(?:[.:]|$)/i;

/**
 * Nothing is decoded (`%2e`), expanded (`~`), folded or trimmed. A backslash is a separator on every system. The
 * checks in order: blank, NUL and control characters, half characters, length, drives, shares and devices, absolute,
 * names.
 */
export function spellPath(given: string, { root, platform, absolute }: SpellingRules): Spelling {
  const flaw = flawOfText(given);
  if (flaw !== null) return { ok: false, flaw };
  const path = given.replaceAll("\\", "/");
  const isWindows = platform === "win32";
  const place = placeOf(path, { isWindows, absolute });
  if (place.flaw !== null) return { ok: false, flaw: place.flaw };
  const badName = path
    .slice(place.names)
    .split("/")
    .map(isWindows ? flawOnWindows : flawOfName)
    .find(Boolean);
  if (badName) return { ok: false, flaw: badName };
  if (!place.absolute)
    return {
      ok: true,
      path: `${withoutLastSeparator(root)}${separator(isWindows)}${native(path, isWindows)}`,
    };
  // On Windows `/x` names no drive: it gets that of the root.
  const drive = isWindows && !DRIVE_OR_SHARE.test(path) ? withoutLastSeparator(win32.parse(root).root) : "";
  return { ok: true, path: drive + native(path, isWindows) };
}

/** Whether a path is a folder or is inside it. Both are absolute, without links and dots. */
export function isInside(folder: string, path: string, platform: NodeJS.Platform): boolean {
  const { sep } = platform === "win32" ? win32 : posix;
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function flawOfText(path: string): string | null {
  if (path.trim() === "") return "is blank";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\0-\x1f\x7f]/.test(path)) return "holds a control character";
  if (!path.isWellFormed()) return "holds half of a character";
  return path.length > MAX_PATH_LENGTH ? `is longer than ${MAX_PATH_LENGTH} characters` : null;
}

interface Place {
  readonly flaw: string | null;
  readonly absolute: boolean;
  /** The index at which its names begin: after the drive, or after the slashes. A share counts as names. */
  readonly names: number;
}

function placeOf(
  path: string,
  { isWindows, absolute }: { readonly isWindows: boolean; readonly absolute: "accepted" | "refused" },
): Place {
  const no = (flaw: string): Place => ({ flaw, absolute: false, names: 0 });
  if (DEVICE.test(path)) return no("names a device");
  if (DRIVE_OR_SHARE.test(path)) {
    if (!isWindows || absolute === "refused") return no("names a drive or another machine");
    if (path.startsWith("//")) return { flaw: null, absolute: true, names: 2 };
    return DRIVE_ROOT.test(path)
      ? { flaw: null, absolute: true, names: 3 }
      : no("depends on the folder of a drive");
  }
  if (!path.startsWith("/")) return { flaw: null, absolute: false, names: 0 };
  if (absolute === "refused") return no("is absolute, and must be relative to the workspace");
  return { flaw: null, absolute: true, names: 1 };
}

function flawOfName(name: string): string | null {
  return Buffer.byteLength(name) > MAX_NAME_LENGTH
    ? `has a name of more than ${MAX_NAME_LENGTH} bytes`
    : null;
}

function flawOnWindows(name: string): string | null {
  if (name.length > MAX_NAME_LENGTH) return `has a name of more than ${MAX_NAME_LENGTH} characters`;
  if (/[:*?"<>|]/.test(name))
    return `has a name with one of : * ? " < > |, which Windows gives another meaning`;
  if (WINDOWS_DEVICE.test(name)) return `has the name of a device of Windows`;
  if (name !== "." && name !== ".." && /[. ]$/.test(name))
    return "has a name that ends with a dot or a space, which Windows leaves out";
  return null;
}

function native(path: string, isWindows: boolean): string {
  return isWindows ? path.replaceAll("/", "\\") : path;
}

function separator(isWindows: boolean): string {
  return isWindows ? win32.sep : posix.sep;
}

function withoutLastSeparator(folder: string): string {
  return folder.replace(/[\\/]$/, "");
}
