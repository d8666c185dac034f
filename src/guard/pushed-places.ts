/** Finds the repositories of this machine that a push would write. */
import { resolve } from "node:path";
import { parseCall } from "../domain/git-policy/parse/parse-call.ts";
import { allOperands, valuesOf } from "../domain/git-policy/tables/command-table.ts";
import { PUSH } from "../domain/git-policy/tables/write/transfer.ts";
import type { AskGit } from "./ask-git.ts";
import type { GuardedCall } from "./read-call.ts";

/** Absolute; where the call names no remote, those of all remotes there are. */
export async function pushedPlaces(call: GuardedCall, here: string, ask: AskGit): Promise<readonly string[]> {
  const inRepository = (...words: string[]) => ask([...call.globals, ...words]);
  const named = namedIn(call.args);
  const names = named ?? (await inRepository("remote"))?.split("\n") ?? [];
  const addresses = await Promise.all(
    names.map(async (name) => {
      const known = await inRepository("remote", "get-url", "--push", "--all", "--", name);
      // One address holds a line break, or there are several.
      return known === null ? [name] : [known, ...known.split("\n")];
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
function namedIn(args: readonly string[]): readonly string[] | null {
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
  if (address.startsWith("file://")) return [decodeURI(address.slice("file://".length))];
  return /^[^/]*:/.test(address) ? [] : [address];
}
