/** Names the sockets and files that lead out of any sandbox: container engines, terminals, editors, key agents and more. */
import { join, resolve } from "node:path";
import { isInside } from "../../utils/paths/path-spelling.ts";

/** Relative to the home folder; `.docker`, `.gnupg` and `.ssh` are among the credentials. */
const KNOWN: readonly string[] = [
  ".1password",
  ".Xauthority",
  ".abduco",
  ".bitwarden-ssh-agent.sock",
  ".colima",
  ".config/colima",
  ".dbus",
  ".emacs.d/server",
  ".finch",
  ".lima",
  ".local/share/containers/podman/machine",
  ".local/share/wezterm",
  ".minikube",
  ".multipass",
  ".orbstack",
  ".rd",
  ".screen",
  ".vagrant.d",
];

/** Each names a folder, a socket or a file; see `PLACE`. */
const VARIABLES: readonly string[] = [
  "ALACRITTY_SOCKET",
  "BUILDKIT_HOST",
  "COLIMA_HOME",
  "CONTAINERD_ADDRESS",
  "CONTAINER_HOST",
  "DBUS_SESSION_BUS_ADDRESS",
  "DOCKER_CONFIG",
  "DOCKER_HOST",
  "EMACS_SOCKET_NAME",
  "GNOME_KEYRING_CONTROL",
  "GNUPGHOME",
  "GPG_AGENT_INFO",
  "I3SOCK",
  "KITTY_LISTEN_ON",
  "LIMA_HOME",
  "MINIKUBE_HOME",
  "NVIM",
  "NVIM_LISTEN_ADDRESS",
  "SCREENDIR",
  "SSH_AUTH_SOCK",
  "SWAYSOCK",
  "TMUX",
  "VSCODE_GIT_IPC_HANDLE",
  "VSCODE_IPC_HOOK",
  "VSCODE_IPC_HOOK_CLI",
  "WAYLAND_DISPLAY",
  "WEZTERM_UNIX_SOCKET",
  "XAUTHORITY",
  "XDG_RUNTIME_DIR",
  "ZELLIJ_SOCKET_DIR",
];

/**
 * `PATH`, `unix:PATH`, `unix://PATH` or `unix:path=PATH`. More may follow a comma (tmux, D-Bus), or numbers may follow
 * colons (old GnuPG).
 */
const PLACE = /^(?:unix:(?:\/\/|path=)?)?(\/[^,]*?)(?::\d+:\d+)?(?:,|$)/;

/**
 * Absolute paths; they need not exist. A folder that contains the home folder is left out: nothing could work without
 * it.
 */
export function controlPlaces(
  env: Readonly<Record<string, string | undefined>>,
  home: string,
): readonly string[] {
  const named = VARIABLES.flatMap((name) => env[name]?.split(";") ?? [])
    .flatMap((value) => PLACE.exec(value)?.[1] ?? [])
    .map((path) => resolve(path))
    .filter((path) => !isInside(path, home, "linux"));
  return [...new Set([...KNOWN.map((place) => join(home, place)), ...named])];
}
