/** Says how git reaches the depot of one repository: by an address, and by the key of this worker if it needs one. */
import type { GitOptions } from "../runner/run-git.ts";

export interface DepotAccess {
  /** Of the bare repository. */
  readonly url: string;
  /** Null: git uses the user's own access, as for any remote. */
  readonly key: { readonly worker: string; readonly secret: string } | null;
}

/** The same words for every worker: the secret stands in the environment of that one call. */
const HELPER =
  '!f() { test "$1" = get && printf \'username=%s\\npassword=%s\\n\' "$TAZUNA_DEPOT_WORKER" "$TAZUNA_DEPOT_KEY"; }; f';

/** The options of a call to the depot. A key is given to the server of that address alone. */
export function depotOptions({ url, key }: DepotAccess): GitOptions {
  if (key === null) return { access: "remote" };
  return {
    access: "remote",
    config: {
      "credential.helper": "",
      [`credential.${new URL(url).origin}.helper`]: HELPER,
      "credential.useHttpPath": "false",
      "http.followRedirects": "false",
    },
    extraEnv: { TAZUNA_DEPOT_WORKER: key.worker, TAZUNA_DEPOT_KEY: key.secret },
  };
}
