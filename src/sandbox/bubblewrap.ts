/** Builds the argv by which bubblewrap confines a program on Linux. */
import { isInside } from "../utils/path-spelling.ts";
import { type Layer, PROXY_SOCKET, type SandboxProfile } from "./profile.ts";

/**
 * The whole file system read-only, the named places over it, a process table, message queues and a session of its own, and
 * no capability. It ends with whoever started it, and nothing of it survives it. `options` are those of the profile;
 * `resolver` is the file behind `/etc/resolv.conf` where that lies in the hidden `/run`.
 */
export function bubblewrapArgv(
  argv: readonly string[],
  options: Pick<SandboxProfile, "temporary" | "emptyFile" | "network"> & {
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
    "--new-session",
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
    // Only now: the places in them had to be made first.
    ...[...layers.filter(isHiddenFolder).map(({ path }) => path), "/run"].flatMap((path) => [
      "--remount-ro",
      path,
    ]),
    "--",
    ...(listed?.through ?? []),
    ...argv,
  ];
}

/** Shown in their place are folders of the program's own. */
const OWN_PLACES = ["/dev", "/proc", "/run", "/tmp"];

/** Hidden, in a folder that shows something else already, and around nothing: a place would only be made for it. */
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
