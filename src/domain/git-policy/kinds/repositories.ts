/** Decides which repositories a call may talk to: a configured remote, https, ssh, or a folder inside the workspace. */
import { type Judgement, saying } from "../judgement.ts";
import { type Finding, never } from "../verdict.ts";
import { type Place, pathFinding } from "./place.ts";

const INSTEAD = "Name a configured remote, or an https:// or ssh:// address.";
/** `user@host:path`, where neither host nor path can be taken for an option. */
const SCP = /^(?:[A-Za-z0-9._][\w.+-]*@)?[A-Za-z0-9][\w.-]+:(?![:-])[^\s]+$/;
const WEB_OR_SSH =
  /^(?:https|ssh):\/\/(?:[^@/\\\s]*@)?(?:[A-Za-z0-9][\w.-]*|\[[0-9A-Fa-f:.]+\])(?::[0-9]*)?(?:\/[^\s]*)?$/;

/**
 * A value without a colon is a remote's name or a folder; as it may be a folder, it counts among the paths. Git goes to
 * the top of the repository before it follows one, except where it makes a new repository.
 */
export function repositoryJudgement(given: string, value: string, place: Place): Judgement {
  if (!value.includes(":") || /^[a-zA-Z]:[\\/]/.test(value)) return folder(given, value, value, place);
  const file = /^file:\/\/(?:localhost(?=\/))?(\/.*)$/.exec(value)?.[1];
  if (file !== undefined) return folder(given, value, file, place);
  return saying(addressFinding(given, value));
}

function folder(given: string, value: string, name: string, place: Place): Judgement {
  // Git decodes what follows file://.
  if (value !== name && /%/.test(name)) return saying(unsafe(given, value, "is an encoded address"));
  const finding = pathFinding(place, given, name);
  return { ...saying(finding), paths: [name], pathsFromTop: [name] };
}

function addressFinding(given: string, value: string): Finding | null {
  if (/^[^/@]*::/.test(value)) return unsafe(given, value, "would run a program as the transport");
  if (WEB_OR_SSH.test(value)) return null;
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(value))
    return unsafe(given, value, "is an address of a kind that is not allowed");
  return SCP.test(value) ? null : unsafe(given, value, "is no address of a repository");
}

function unsafe(given: string, value: string, because: string): Finding {
  const shown = value.length > 80 ? `${value.slice(0, 80)}…` : value;
  return never(
    given === value ? shown : `${given} ${shown}`,
    { rule: "url.unsafe", because, instead: INSTEAD },
    "UNSAFE_URL",
  );
}
