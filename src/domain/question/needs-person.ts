/** Decides which rule leaves a tool of an agent to a person: it reaches the network, or leaves the worktree. */
import { networkUse, shellSegments } from "./network-commands.ts";

/** A tool that an agent wants to use. */
interface WantedTool {
  /** The whole command; null if it runs none. */
  readonly command: string | null;
  /** The paths that it is about, as the agent names them. Some agents also ask before they read elsewhere. */
  readonly changes: readonly string[];
  /** It is made to fetch something from the network. */
  readonly fetches: boolean;
}

interface Reason {
  /** One sentence: which rule asks. */
  readonly rule: string;
  /** The paths and hosts in question. */
  readonly touches: readonly string[];
}

/** Null if no rule asks. Judges the text alone: what a command does in the end only a sandbox can hold back. */
export function whyAskPerson({ command, changes, fetches }: WantedTool, worktree: string): Reason | null {
  const outside = [...changes, ...(command === null ? [] : writtenBy(command))].filter(
    (path) => !isInside(path, worktree),
  );
  if (outside.length > 0)
    return { rule: "It reaches outside of the worktree.", touches: [...new Set(outside)] };
  const program = command === null ? null : networkUse(command);
  if (program !== null)
    return { rule: `\`${program}\` reaches the network.`, touches: hostsIn(command ?? "") };
  return fetches ? { rule: "It reaches the network.", touches: hostsIn(changes.join(" ")) } : null;
}

const WRITERS = new Set(
  "chgrp chmod chown cp dd install ln mkdir mv rm rmdir rsync shred tee touch truncate unlink".split(" "),
);

/** Absolute paths, and those that lead upwards, that a command names to write to. */
function writtenBy(command: string): readonly string[] {
  const redirected = [...command.matchAll(/>{1,2}\s*["']?([^\s"';&|<>()]+)/g)].map(([, path = ""]) => path);
  const named = shellSegments(command).flatMap(([program = "", ...words]) =>
    WRITERS.has(program) ? words.filter((word) => !word.startsWith("-")) : [],
  );
  return [...redirected, ...named].filter(
    (path) => /^[/~]|(^|\/)\.\.(\/|$)/.test(path) && !path.startsWith("/dev/"),
  );
}

/** After a scheme or a user. */
const NAMED_HOST = /(?:[a-z][a-z0-9+.-]*:\/\/|\b[\w.-]+@)(?:[^\s/@"']*@)?([a-z0-9][\w.-]*)/gi;
/** At the beginning of a word, in front of a path: `host.org:path` of git and ssh, `host.org/name` of images and modules. */
const BARE_HOST =
  /(?<=^|[\s"'=])(localhost|(?:\d{1,3}\.){3}\d{1,3}|(?:[a-z\d][a-z\d-]*\.)+[a-z]{2,})(?=(?::\d+)?[:/])/gi;

function hostsIn(text: string): readonly string[] {
  const found = [NAMED_HOST, BARE_HOST].flatMap((pattern) =>
    [...text.matchAll(pattern)].map(([, host = ""]) => host),
  );
  // The version in `name@1.2` is no host.
  const hosts = found.filter((host) => !/^\d+(\.\d+){0,2}$/.test(host));
  return [...new Set([...hosts, ...gitHosts(text)])];
}

const GIT_REMOTE = new Set("clone fetch ls-remote pull push".split(" "));

/** Git takes `name:path` for ssh in place of a remote; behind that it is a refspec. */
function gitHosts(command: string): readonly string[] {
  return shellSegments(command).flatMap(([program, ...words]) => {
    const at = program === "git" ? words.findIndex((word) => GIT_REMOTE.has(word)) : -1;
    const remote = at === -1 ? "" : (words.slice(at + 1).find((word) => !word.startsWith("-")) ?? "");
    const [, host] = /^(?:[^@/:]+@)?([\w.-]{2,}):(?!\/\/)/.exec(remote) ?? [];
    return host === undefined ? [] : [host];
  });
}

/** Judges the text alone; links are found by the proof after the run. */
export function isInside(path: string, worktree: string): boolean {
  if (path.startsWith("~")) return false;
  const resolved = resolve(path.startsWith("/") ? path : `${worktree}/${path}`);
  return resolved === worktree || resolved.startsWith(`${worktree === "/" ? "" : worktree}/`);
}

function resolve(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}
