/** Decides which repositories a call may talk to: a configured remote, https, ssh, or a path that the host granted. */

import { isInFolder, type Place } from "../table/place.ts";
import { type Judgement, judgementOf, NO_FINDINGS } from "../verdicts/judgement.ts";
import { type Finding, never } from "../verdicts/verdict.ts";

const INSTEAD = "Name a configured remote, or an https:// or ssh:// address.";
/** `user@host:path`, if neither host nor path can be taken for an option. */
const SCP = /^(?:[A-Za-z0-9._][\w.+-]*@)?[A-Za-z0-9][\w.-]+:(?![:-])[^\s]+$/;
const WEB_OR_SSH =
  /^(?:https|ssh):\/\/(?:[^@/\\\s]*@)?(?:[A-Za-z0-9][\w.-]*|\[[0-9A-Fa-f:.]+\])(?::[0-9]*)?(?:\/[^\s]*)?$/;

/** A value that git reads as the name of a remote or group, a path, or an address. */
export function remoteJudgement(given: string, value: string, place: Place): Judgement {
  return isRemoteName(value, place) ? NO_FINDINGS : addressJudgement(given, value, place);
}

/** A value that git reads as a path or an address, independent of the configured remotes. */
export function addressJudgement(given: string, value: string, place: Place): Judgement {
  return judgementOf(
    isLocalAddress(value) ? pathFindingOf(given, value, place) : addressFinding(given, value),
  );
}

/** A value that can only be a path, such as that of `--reference`. */
export function repositoryPathJudgement(given: string, value: string, place: Place): Judgement {
  return judgementOf(pathFindingOf(given, value, place));
}

/** As git decides: a path, `file:` in any spelling, or a drive of Windows. */
export function isLocalAddress(value: string): boolean {
  const colon = value.indexOf(":");
  if (colon === -1) return true;
  const slash = value.search(/[\\/]/);
  if (slash !== -1 && slash < colon) return true;
  return /^[a-zA-Z]:/.test(value) || /^file:/i.test(value);
}

/**
 * A word that does not look like a path may still be one. The program that runs git checks whether that path exists.
 */
function isRemoteName(value: string, { remotes }: Place): boolean {
  return remotes.includes(value) || !/[:\\/]|^~|^\.{0,2}$/.test(value);
}

function pathFindingOf(given: string, value: string, place: Place): Finding | null {
  return isGranted(value, place)
    ? null
    : unsafe(given, value, "names a repository on this machine by its path");
}

/** Only an absolute path means the same in every folder. Git decodes the text after `file://`. */
function isGranted(value: string, { localRepositories }: Place): boolean {
  const address = /^file:\/\/(?:localhost(?=\/))?(\/.*)$/.exec(value)?.[1];
  if (address?.includes("%")) return false;
  const path = address ?? value;
  return localRepositories.some((granted) => isInFolder(granted, path));
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
