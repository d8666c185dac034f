/** Finds the repositories of this machine that a push would write. */
import { homedir } from "node:os";
import { isLocalAddress } from "../domain/git-policy/kinds/repositories.ts";
import { parseCall } from "../domain/git-policy/parse/parse-call.ts";
import {
  addressesOf,
  everyDefaultRemote,
  SETTINGS_QUESTION,
  settingsIn,
} from "../domain/git-policy/remotes/remote-settings.ts";
import { allOperands, valuesOf } from "../domain/git-policy/table/command-table.ts";
import { PUSH } from "../domain/git-policy/tables/write/transfer.ts";
import { localPaths } from "../utils/paths/local-address.ts";
import type { AskGit } from "./ask-git.ts";
import type { GuardedCall } from "./read-call.ts";

/** The command itself, and the part of it that sends. */
export const PUSHES: ReadonlySet<string> = new Set(["push", "send-pack"]);

/**
 * Absolute. If the call names no remote, those of all remotes. Null if it is unclear which repository an address of
 * this machine means.
 */
export async function pushedPlaces(
  call: GuardedCall,
  here: string,
  ask: AskGit,
): Promise<readonly string[] | null> {
  const inRepository = (...words: string[]) => ask([...call.globals, ...words]);
  const settings = settingsIn(await inRepository(...SETTINGS_QUESTION));
  const remotes = async () => (await inRepository("remote"))?.split("\n") ?? [];
  const names = namedIn(call) ?? [...(await remotes()), ...everyDefaultRemote(settings)];
  const addresses = await Promise.all(
    names.map(async (name) => {
      const known = await inRepository("remote", "get-url", "--push", "--all", "--", name);
      // Either one address contains a line break, or there are several.
      return known === null ? addressesOf(name, "push", settings) : [known, ...known.split("\n")];
    }),
  );
  const top = await inRepository("rev-parse", "--show-toplevel");
  const bases = [here, ...(top === null ? [] : [top])];
  const paths = addresses
    .flat()
    .filter(isLocalAddress)
    .flatMap((address) => bases.map((base) => localPaths(address, { top: base, home: homedir() })));
  if (paths.includes(null)) return null;
  return paths
    .flatMap((some) => some ?? [])
    .flatMap((path) => [path, `${path}/.git`, `${path}.git`, `${path}.git/.git`]);
}

/** Null if the configuration decides. If the call cannot be parsed, every word may be a remote. */
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
