/** Finds the repositories of this machine that a push would write. */
import { homedir } from "node:os";
import { resolve } from "node:path";
import { parseCall } from "../domain/git-policy/parse/parse-call.ts";
import { allOperands, valuesOf } from "../domain/git-policy/tables/command-table.ts";
import { PUSH } from "../domain/git-policy/tables/write/transfer.ts";
import type { AskGit } from "./ask-git.ts";
import { defaultRemotes, pushAddresses, REMOTE_SETTINGS, settingsIn } from "./push-addresses.ts";
import type { GuardedCall } from "./read-call.ts";

/** By itself, and by the part of it that sends. */
export const PUSHES: ReadonlySet<string> = new Set(["push", "send-pack"]);

/** Absolute; where the call names no remote, those of all remotes there are. */
export async function pushedPlaces(call: GuardedCall, here: string, ask: AskGit): Promise<readonly string[]> {
  const inRepository = (...words: string[]) => ask([...call.globals, ...words]);
  const settings = settingsIn(await inRepository("config", "--null", "--get-regexp", REMOTE_SETTINGS));
  const remotes = async () => (await inRepository("remote"))?.split("\n") ?? [];
  const names = namedIn(call) ?? [...(await remotes()), ...defaultRemotes(settings)];
  const addresses = await Promise.all(
    names.map(async (name) => {
      const known = await inRepository("remote", "get-url", "--push", "--all", "--", name);
      // One address holds a line break, or there are several.
      return known === null ? pushAddresses(name, settings) : [known, ...known.split("\n")];
    }),
  );
  const top = await inRepository("rev-parse", "--show-toplevel");
  const bases = [here, ...(top === null ? [] : [top])];
  return addresses
    .flat()
    .flatMap(pathsOf)
    .flatMap((path) => bases.map((base) => resolve(base, path)))
    .flatMap((path) => [path, `${path}/.git`, `${path}.git`, `${path}.git/.git`]);
}

/** Null where it is left to the configuration; of a call that cannot be read every word may be one. */
function namedIn({ subcommand, args }: GuardedCall): readonly string[] | null {
  if (subcommand !== "push") return args;
  return parseCall("push", args, { options: PUSH.options, endOfOptions: true }).match(
    (call) => {
      const names = [...allOperands(call).slice(0, 1), ...valuesOf(call, "repo")];
      return names.length === 0 ? null : names;
    },
    () => args,
  );
}

/** Nothing for an address of another machine. */
function pathsOf(address: string): readonly string[] {
  if (address.startsWith("file://")) return [decoded(address.slice("file://".length))];
  // Who serves a push looks for a home folder there.
  if (address.startsWith("~/")) return [`${homedir()}${address.slice(1)}`, address];
  return /^[^/]*:/.test(address) ? [] : [address];
}

/** As git does: what stands for no byte stays as it is. */
function decoded(path: string): string {
  return path.replace(/(?:%[0-9a-f]{2})+/gi, (bytes) =>
    Buffer.from(bytes.replaceAll("%", ""), "hex").toString("utf8"),
  );
}
