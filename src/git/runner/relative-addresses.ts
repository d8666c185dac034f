/** Gives relative addresses of remotes the same meaning as in the user's checkout, wherever our git runs. */
import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { ConfigPairs } from "../../domain/git-policy/hardening/settings.ts";
import type { GitAccess } from "../process/git-environment.ts";
import type { GitAnswer } from "../process/git-error.ts";
import { fromNul, settingOf } from "../process/nul-list.ts";
import { commonDirByPlace } from "../settings/redirected.ts";

interface AddressedCall {
  readonly target: { readonly gitDir: string } | null;
  /** The user's checkout, whose top folder is the start of relative addresses; default the main one. */
  readonly checkout?: string;
  readonly access?: GitAccess;
  /** Further configuration of the call. */
  readonly config?: ConfigPairs;
}

type Ask = (args: readonly string[]) => GitAnswer<{ readonly stdout: string }, { readonly message: string }>;

/**
 * The configuration of a call, with rules for relative addresses. The user's own rule for the same address comes
 * first.
 */
export async function addressConfig(call: AddressedCall, ask: Ask): Promise<ConfigPairs> {
  const { target, access = "local", config = {} } = call;
  if (access === "local" || target === null) return config;
  const main = mainCheckout(target.gitDir);
  const from = call.checkout ?? main;
  const dotted = ["./", "../"].map((start) => rule(from, start));
  const addresses = access === "objects" ? [] : await relativeAddresses(ask);
  const single = addresses.flatMap(({ address, means, key }) => {
    // In a linked worktree at another place, git itself finds nothing there.
    const place = existsSync(join(from, means)) || !existsSync(join(main, means)) ? from : main;
    const isDotted = means === address && /^\.\.?\//.test(address);
    return place !== from || !isDotted ? [[`url.${place}/${means}.${key}`, address] as const] : [];
  });
  return { ...Object.fromEntries([...dotted, ...single]), ...config };
}

/** Those of the settings that say what an address means. */
export function addressesOf(config: ConfigPairs): ConfigPairs {
  return Object.fromEntries(Object.entries(config).filter(([key]) => /\.(push)?(url|insteadof)$/i.test(key)));
}

/** An address that begins with `start` is resolved from `folder`. */
function rule(folder: string, start: string): readonly [string, string] {
  return [`url.${folder}/${start}.insteadOf`, start];
}

/** The top folder of the main checkout; the repository itself if it is bare. */
function mainCheckout(gitDir: string): string {
  const common = commonDirByPlace(gitDir);
  return basename(common) === ".git" ? dirname(common) : common;
}

const KEYS = "^(remote\\..*\\.(url|pushurl)|url\\..*\\.(insteadof|pushinsteadof))$";

type RuleKey = "insteadOf" | "pushInsteadOf";

interface Relative {
  readonly address: string;
  /** The path after the user's own rewrite rule; else the address itself. */
  readonly means: string;
  /** The key of our rule for the whole address. It outranks the user's rule for the beginning of the address. */
  readonly key: RuleKey;
}

async function relativeAddresses(ask: Ask): Promise<readonly Relative[]> {
  const listed = await ask(["config", "--null", "--get-regexp", KEYS]);
  const settings = fromNul(listed.isOk() ? listed.value.stdout : "").map(settingOf);
  const rules = settings.filter(({ key }) => key.startsWith("url."));
  return settings.flatMap(({ key: name, value: address }) => {
    if (name.startsWith("url.")) return [];
    const keys: readonly RuleKey[] = name.endsWith(".url") ? ["insteadOf", "pushInsteadOf"] : ["insteadOf"];
    return keys.flatMap((key) => {
      const rule = ruleFor(rules, address, key);
      if (rule === null && key === "pushInsteadOf") return [];
      const means = rule === null ? address : `${rule.base}${address.slice(rule.start.length)}`;
      return isRelativePath(means) ? [{ address, means, key }] : [];
    });
  });
}

/** The user's longest matching rule; the first one if several are equally long, as in git. */
function ruleFor(
  rules: readonly { readonly key: string; readonly value: string }[],
  address: string,
  key: RuleKey,
): { readonly base: string; readonly start: string } | null {
  const ending = `.${key.toLowerCase()}`;
  const fitting = rules.filter((one) => one.key.endsWith(ending) && address.startsWith(one.value));
  const [longest] = fitting.sort((one, other) => other.value.length - one.value.length);
  if (longest === undefined) return null;
  return { base: longest.key.slice("url.".length, -ending.length), start: longest.value };
}

/** The same test as git's: a path has no colon, or a slash before it. The server expands a path from `~`. */
function isRelativePath(address: string): boolean {
  if (address === "" || address.startsWith("/") || address.startsWith("~")) return false;
  const colon = address.indexOf(":");
  const slash = address.indexOf("/");
  return colon < 0 || (slash >= 0 && slash < colon);
}
