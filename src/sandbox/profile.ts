/** Says what a confined program may touch: all it can read but what is hidden, and nothing it can write but what is named. */

export interface SandboxProfile {
  /** Absolute paths that it may write to. What does not exist is left out. */
  readonly writable: readonly string[];
  /** Folders that are empty at first and the program's own to write, whatever lies there outside. */
  readonly own: readonly OwnFolder[];
  /** Absolute paths that stay as they are, also below a writable, a hidden or a temporary one. */
  readonly readOnly: readonly string[];
  /** Absolute paths that look empty: folders without an entry, files without a byte. */
  readonly hidden: readonly string[];
  /** An existing folder of ours that stands for the system's temporary folder. */
  readonly temporary: string;
  /** An existing empty file of ours, shown in place of hidden files. */
  readonly emptyFile: string;
  /** `shared`: that of the machine. `none`: not even its loopback. */
  readonly network: "shared" | "none" | ListedNetwork;
}

/** None but what a proxy lets through that listens outside. */
export interface ListedNetwork {
  /** Absolute path of the proxy's socket, which is shown to the program at `PROXY_SOCKET`. */
  readonly socket: string;
  /** The words in front of the program: they start it, and lead its calls to the socket meanwhile. */
  readonly through: readonly string[];
}

/** In a folder that is a confined program's own. */
export const PROXY_SOCKET = "/run/tazuna-network";

export interface OwnFolder {
  /** Absolute. What does not exist is left out. */
  readonly path: string;
  /** Absolute; an existing folder of ours that stands for it. */
  readonly from: string;
}

/** What holds one place; a deeper one outranks the one it lies in. */
export type Layer = {
  /** Absolute, without symbolic links. */
  readonly path: string;
  readonly is: "folder" | "file";
} & (
  | { readonly kind: "writable" | "read-only" | "hidden" }
  | (Pick<OwnFolder, "from"> & { readonly kind: "own" })
);

/** The command that runs another one confined. */
export type Confine = (argv: readonly string[], profile: SandboxProfile) => readonly string[];
