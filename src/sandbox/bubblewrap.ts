/** Builds the argv with which bubblewrap confines a program on Linux. */
import { isInside } from "../utils/paths/path-spelling.ts";
import { type Layer, PROXY_SOCKET, type SandboxProfile } from "./profile.ts";

/**
 * The whole file system is read-only, with the named places over it. The program gets its own process table, message
 * queues and session, and no capability. It ends with its parent, and leaves nothing behind. `options` are those of
 * the profile. `resolver` is the file behind `/etc/resolv.conf`, if that is in the hidden `/run`.
 */
export function bubblewrapArgv(
  argv: readonly string[],
  options: Pick<SandboxProfile, "temporary" | "emptyFile" | "inTerminal" | "network"> & {
    /** Absolute path of `bwrap`. */
    readonly program: string;
    readonly layers: readonly Layer[];
    readonly resolver: string | null;
  },
): readonly string[] {
  const { program, temporary, emptyFile, resolver, network } = options;
  const layers = options.layers.filter((layer) => !isNowhere(layer, options.layers));
  const listed = typeof network === "object" ? network : null;
  return [
    program,
    "--die-with-parent",
    // What is typed into its own terminal by force reaches programs of the same sandbox alone.
    ...(options.inTerminal === true ? [] : ["--new-session"]),
    "--unshare-pid",
    "--unshare-ipc",
    ...(network === "shared" ? [] : ["--unshare-net"]),
    ...["--cap-drop", "ALL"],
    ...["--ro-bind", "/", "/"],
    ...["--dev", "/dev"],
    ...["--proc", "/proc"],
    ...["--bind", temporary, "/tmp"],
    ...["--tmpfs", "/run"],
    ...(resolver === null ? [] : ["--ro-bind", resolver, resolver]),
    ...(listed === null ? [] : ["--ro-bind", listed.socket, PROXY_SOCKET]),
    ...layers.flatMap((layer) => mountOf(layer, emptyFile)),
    // Last, because the places inside them had to be made first.
    ...[...layers.filter(isHiddenFolder).map(({ path }) => path), "/run"].flatMap((path) => [
      "--remount-ro",
      path,
    ]),
    "--",
    ...(listed?.through ?? []),
    ...argv,
  ];
}

/** These places show the program's own folders instead. */
const OWN_PLACES = ["/dev", "/proc", "/run", "/tmp"];

/**
 * Whether a hidden place lies in a folder that already shows something else, and contains no other place. Bubblewrap
 * would create it there only to hide it.
 */
function isNowhere({ path, kind }: Layer, layers: readonly Layer[]): boolean {
  if (kind !== "hidden") return false;
  const others = layers.filter((layer) => layer.path !== path);
  if (others.some((layer) => isInside(path, layer.path, "linux"))) return false;
  const around = others.findLast((layer) => isInside(layer.path, path, "linux"));
  if (around === undefined) return OWN_PLACES.some((place) => isInside(place, path, "linux"));
  return around.kind === "hidden" || around.kind === "own";
}

function mountOf(layer: Layer, emptyFile: string): readonly string[] {
  const { path, kind, is } = layer;
  if (layer.kind === "own") return ["--bind", layer.from, path];
  if (kind === "writable") return ["--bind", path, path];
  if (kind === "read-only") return ["--ro-bind", path, path];
  return is === "folder" ? ["--tmpfs", path] : ["--ro-bind", emptyFile, path];
}

function isHiddenFolder({ kind, is }: Layer): boolean {
  return kind === "hidden" && is === "folder";
}
