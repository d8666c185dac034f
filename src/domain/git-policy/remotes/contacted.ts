/** Finds the addresses of the repositories that a call talks to, as git itself would. */
import type { Contacts } from "./contacts.ts";
import {
  addressesOf,
  addressOf,
  defaultRemotes,
  everyDefaultRemote,
  fetchesFromAll,
  promisorRemotes,
  type RemoteSettings,
  remoteGroups,
  remoteNames,
} from "./remote-settings.ts";

export interface Contacted {
  /** As git takes it. */
  readonly address: string;
  /** The remote that has this address; null if the call names the address itself. */
  readonly remote: string | null;
  /** As it is written, before `url.BASE.insteadOf` rewrites it. */
  readonly written: readonly string[];
  /** Whether it could only be the name of a remote, and no such remote is configured. */
  readonly isName: boolean;
}

export function contactedBy(
  contacts: Contacts,
  settings: RemoteSettings,
  branch: string | null,
): readonly Contacted[] {
  const { addresses, direction } = contacts;
  const configured = remoteNames(settings);
  const names = [...namesOf(contacts, settings, branch), ...promisorRemotes(settings)];
  return [
    ...[...new Set(names)].flatMap((name) =>
      addressesOf(name, direction, settings).map((address) => ({
        address,
        remote: configured.includes(name) ? name : null,
        written: [name, ...settings.flatMap(([key, value]) => (isAddressOf(name, key) ? [value] : []))],
        isName: address === name && !configured.includes(name) && !/[\\/:]|^~|^\.{0,2}$/.test(name),
      })),
    ),
    ...addresses.map((one) => ({
      address: addressOf(one, direction, settings),
      remote: null,
      written: [one],
      isName: false,
    })),
  ];
}

/** Names of remotes, or texts that git reads as an address if no such remote exists. */
function namesOf(
  { named, groups: takes, unnamed, direction }: Contacts,
  settings: RemoteSettings,
  branch: string | null,
): readonly string[] {
  const configured = remoteNames(settings);
  const groups = remoteGroups(settings);
  const isRemote = (name: string) => configured.includes(name);
  const fetched = (names: readonly string[]) => names.flatMap((name) => ledTo(name, { groups, isRemote }));
  const eachOf = (names: readonly string[]) => fetched(names.flatMap((name) => groups.get(name) ?? [name]));
  const known = takes === "new" ? named.filter((name) => isRemote(name) || groups.has(name)) : named;
  const words = takes === "none" ? known : takes === "each" ? eachOf(known) : fetched(known);
  const isAll =
    unnamed === "all" ||
    (unnamed === "update" && !groups.has("default")) ||
    (unnamed === "default" && direction === "fetch" && fetchesFromAll(settings));
  return [
    ...words,
    ...(isAll ? fetched(configured) : unnamed === "update" ? eachOf(["default"]) : []),
    ...(unnamed === "default" ? defaultRemotes(settings, { branch, direction }) : []),
    ...(unnamed === "default" && branch === UNKNOWN_BRANCH ? everyDefaultRemote(settings) : []),
  ];
}

/**
 * If a group has several members, git fetches each by its name, which may again be a group. If a group has one
 * member, git takes the group's name for a remote.
 */
function ledTo(
  name: string,
  known: {
    readonly groups: ReadonlyMap<string, readonly string[]>;
    readonly isRemote: (name: string) => boolean;
  },
  above: readonly string[] = [],
): readonly string[] {
  const members = known.groups.get(name);
  if (members === undefined || above.includes(name)) return [name];
  const inside = members.flatMap((one) => ledTo(one, known, [...above, name]));
  return members.length > 1 && !known.isRemote(name) ? inside : [name, ...inside];
}

function isAddressOf(name: string, key: string): boolean {
  return key === `remote.${name}.url` || key === `remote.${name}.pushurl`;
}

/** Stands for an unknown branch. HEAD holds this text if refs are stored in tables. No branch can have this name. */
export const UNKNOWN_BRANCH = ".invalid";
