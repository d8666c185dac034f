/** Names the login whose limits a run shares: a worker's own account, or one that several workers share by its name. */
import { ownWorker } from "../core/held-elsewhere.ts";
import type { ResolvedAgent } from "./resolve-agent.ts";

const NAMED = "login:";

/** On a Postgres two machines may have the same folder of settings, with another account in it. */
export function loginOf(
  context: Parameters<typeof ownWorker>[0],
  { executor, profile }: ResolvedAgent,
): string {
  if (profile.login !== null) return NAMED + profile.login;
  const own = ownWorker(context);
  return own === null ? executor.login(profile) : `${own}/${executor.login(profile)}`;
}

/** Whether it is one on all workers. */
export function isNamed(login: string): boolean {
  return login.startsWith(NAMED);
}

/** As people of this worker know it; null if it is an account of another worker. */
export function shownLogin(context: Parameters<typeof ownWorker>[0], login: string): string | null {
  if (isNamed(login)) return login.slice(NAMED.length);
  const own = ownWorker(context);
  if (own === null) return login;
  return login.startsWith(`${own}/`) ? login.slice(own.length + 1) : null;
}
