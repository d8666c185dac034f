/** Describes what a confined program may touch: it reads all but hidden places, and writes only named ones. */

export interface SandboxProfile {
  /** Absolute paths that it may write to. Missing ones are left out. */
  readonly writable: readonly string[];
  /** Folders that are empty at first and that the program may write. Their content outside is not shown. */
  readonly own: readonly OwnFolder[];
  /** Absolute paths that stay unchanged, even below a writable, a hidden or a temporary one. */
  readonly readOnly: readonly string[];
  /** Absolute paths that look empty: folders without an entry, files without a byte. */
  readonly hidden: readonly string[];
  /** An existing folder of ours that replaces the system's temporary folder. */
  readonly temporary: string;
  /** An existing empty file of ours, shown in place of hidden files. */
  readonly emptyFile: string;
  /** It gets a terminal of its own, whose session it leads. Otherwise it has a session without a terminal. */
  readonly inTerminal?: true;
  /** `shared`: that of the machine. `none`: not even its loopback. */
  readonly network: "shared" | "none" | ListedNetwork;
}

/** Nothing except what a proxy outside allows. */
export interface ListedNetwork {
  /** Absolute path of the proxy's socket, which the program sees at `PROXY_SOCKET`. */
  readonly socket: string;
  /** The words before the program. They start it, and connect its calls to the socket meanwhile. */
  readonly through: readonly string[];
}

/** It is in a folder that each confined program has for itself. */
export const PROXY_SOCKET = "/run/tazuna-network";

interface OwnFolder {
  /** Absolute. A missing one is left out. */
  readonly path: string;
  /** Absolute; an existing folder of ours that replaces it. */
  readonly from: string;
}

/** The rule for one place; the rule of a deeper place is stronger. */
export type Layer = {
  /** Absolute, without symbolic links. */
  readonly path: string;
  readonly is: "folder" | "file";
} & (
  | { readonly kind: "writable" | "read-only" | "hidden" }
  | (Pick<OwnFolder, "from"> & { readonly kind: "own" })
);

/** Returns the command that runs another one confined. */
export type Confine = (argv: readonly string[], profile: SandboxProfile) => readonly string[];
