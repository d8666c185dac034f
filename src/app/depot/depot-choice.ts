/** Reads from the flag of `serve` where the depot is to be: on this machine's disk, elsewhere, or nowhere. */
import { mkdir, stat } from "node:fs/promises";
import { err, ok, type Result } from "neverthrow";
import { badUsage } from "../../cli/shared/cli-error.ts";
import type { CliError } from "../../cli/shared/cli-options.ts";
import { looksLikeAddress, readCloneAddress } from "../../domain/repository/clone-address.ts";

export type DepotChoice =
  /** Absolute. */
  | { readonly kind: "served"; readonly folder: string }
  /** Without a slash at its end. */
  | { readonly kind: "elsewhere"; readonly url: string }
  | { readonly kind: "none" };

/** `flag`: `none`, an address, or an absolute path. Null leaves it as it is. */
export async function readDepotChoice(
  flag: string | null,
  database: string | null,
): Promise<Result<DepotChoice | null, CliError>> {
  if (flag === null) return ok(null);
  if (database === null) return err(NEEDS_POSTGRES);
  if (flag === "none") return ok({ kind: "none" });
  if (!looksLikeAddress(flag)) return makeFolder(flag);
  const url = flag.replace(/\/+$/, "");
  if (/^file:\/\/\/./.test(url)) return ok({ kind: "elsewhere", url });
  const read = readCloneAddress(`${url}/depot.git`);
  return read.isErr()
    ? err(
        badUsage(
          `--depot: ${read.error.message}`,
          `${read.error.remedy} A shared folder is \`file:///PATH\`.`,
        ),
      )
    : ok({ kind: "elsewhere", url });
}

async function makeFolder(folder: string): Promise<Result<DepotChoice, CliError>> {
  const made = await mkdir(folder, { recursive: true, mode: 0o700 }).then(
    () => stat(folder),
    () => null,
  );
  if (made?.isDirectory() === true) return ok({ kind: "served", folder });
  return err(
    badUsage(`--depot: ${folder} is no folder that could be made.`, "Name a folder on a disk with room."),
  );
}

const NEEDS_POSTGRES = badUsage(
  "--depot needs a Postgres: one engine with its own database has no workers to protect from each other.",
  "Name the Postgres of the team with `--database`, or leave out `--depot`.",
);
