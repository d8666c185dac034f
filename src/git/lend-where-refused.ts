/** Asks again, with what Tazuna can lend, where a remote refused what the user's own git had. */
import type { Result } from "neverthrow";
import type { GitAccess, LentCredentials } from "./git-environment.ts";
import type { GitError } from "./git-error.ts";
import { asksInVain, wantsCredentials } from "./remote-error.ts";

/** A refused call has changed nothing, so it may be made twice; a local one is lent nothing. */
export async function lendWhereRefused<Output>(
  { lend }: { readonly lend?: () => LentCredentials | null },
  { access = "local" }: { readonly access?: GitAccess },
  run: (lent: LentCredentials | null) => Promise<Result<Output, GitError>>,
): Promise<Result<Output, GitError>> {
  const own = await run(null);
  if (access === "local" || own.isOk() || !wantsCredentials(own.error)) return own;
  const lent = lend?.() ?? null;
  if (lent === null) return own;
  const again = await run(lent);
  // Nothing was known for that host: why the user's own were refused says more.
  return again.isErr() && asksInVain(again.error) ? own : again;
}
