/** Hides the unix sockets of the file system from a confined program: even a read-only socket accepts connections. */
import { existsSync } from "node:fs";
import { isInside } from "../utils/paths/path-spelling.ts";
import { boundSockets } from "./bound-sockets.ts";

/** Shown in place of a socket: it has no listener. */
const NOBODY = "/dev/null";

/**
 * The current form of a `bubblewrapArgv` command. It covers each socket that may have a listener, and that the program
 * would see but cannot write. Writable places hold the program's own sockets. Covers of files that are gone by now
 * are left out.
 */
export function coverSockets(argv: readonly string[]): readonly string[] {
  const { options, program } = split(argv);
  const kept = options.filter((option, at) => !covers(options, at) || existsSync(placeOf(option)));
  const sockets = boundSockets((folder) => isShown(kept, folder)).filter((path) => isShown(kept, path));
  return [...kept.flat(), ...sockets.flatMap((path) => ["--ro-bind", NOBODY, path]), ...program];
}

/** Absolute paths of the files that such a command covers. */
export function coveredFiles(argv: readonly string[]): readonly string[] {
  const { options } = split(argv);
  return options.filter((_, at) => covers(options, at)).map(placeOf);
}

/** One option with its words. */
type Option = readonly string[];

const WORDS: Readonly<Record<string, number>> = {
  ...{ "--bind": 3, "--ro-bind": 3 },
  ...{ "--dev": 2, "--proc": 2, "--tmpfs": 2, "--remount-ro": 2, "--cap-drop": 2 },
};
const MOUNTS: readonly string[] = ["--bind", "--ro-bind", "--dev", "--proc", "--tmpfs"];

/** The part of the command for bubblewrap, which starts with its name, and the part for the program. */
function split(argv: readonly string[]): { readonly options: readonly Option[]; readonly program: Option } {
  const end = argv.indexOf("--");
  const options: Option[] = [];
  for (let at = 0; at < end; at += options.at(-1)?.length ?? 1)
    options.push(argv.slice(at, at + (WORDS[argv[at] ?? ""] ?? 1)));
  return { options, program: argv.slice(Math.max(0, end)) };
}

/**
 * Whether the program would see the real content of a place, but could not write it. The last mount around it
 * decides.
 */
function isShown(options: readonly Option[], path: string): boolean {
  const [kind, from, to] = options.findLast((option) => isMountAround(option, path)) ?? [];
  return kind === "--ro-bind" && from === to;
}

function isMountAround(option: Option, path: string): boolean {
  return MOUNTS.includes(option[0] ?? "") && isInside(placeOf(option), path, "linux");
}

function covers(options: readonly Option[], at: number): boolean {
  const [kind, from, to = ""] = options[at] ?? [];
  return kind === "--ro-bind" && from !== to && isShown(options.slice(0, at), to);
}

function placeOf(option: Option): string {
  return option.at(-1) ?? "";
}
