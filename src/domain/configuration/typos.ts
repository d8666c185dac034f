/** Finds mistakes in a value of the configuration: unknown rules, unknown placeholders, paths that lead out. */
import { isLoopback } from "../forge/token-hosts.ts";
import { GATE_RULES } from "../publish/gate-finding.ts";
import { isBranchName } from "../repository/branch-names.ts";
import { nearestWord } from "../text/nearest.ts";

/** What `branch` may hold in braces; `branchName` fills them in. */
const PLACEHOLDERS = ["id8", "slug"];

/** Null if every rule is one of the gate's, else the message about the first unknown one. */
export function unknownRule(rule: string): string | null {
  if (GATE_RULES.some((known) => known === rule)) return null;
  return `unknown rule "${rule}"${meant(nearestWord(rule, GATE_RULES))}`;
}

/** Null if the template holds only known placeholders, and makes valid branch names. */
export function faultOfTemplate(template: string): string | null {
  const known = PLACEHOLDERS.map((name) => `{${name}}`);
  for (const [whole, name = ""] of template.matchAll(/\{([^{}]*)\}/g))
    if (!PLACEHOLDERS.includes(name)) {
      const near = nearestWord(name, PLACEHOLDERS);
      return `unknown placeholder "${whole}"${meant(near === null ? null : `{${near}}`)}`;
    }
  const rest = template.replace(/\{[^{}]*\}/g, "");
  if (/[{}]/.test(rest)) return `braces stand for ${known.join(" and ")} only, and one has no partner`;
  const example = template.replaceAll("{id8}", "3361c466").replaceAll("{slug}", "fix-it");
  return isBranchName(example) ? null : `"${template}" makes names that git refuses, such as "${example}"`;
}

/** Null if the pattern can match something below the repository's top folder. */
export function leavesRepository(pattern: string): string | null {
  const path = pattern.replace(/^!/, "");
  const leads = path.split("/").includes("..") || path.startsWith("~/");
  return leads
    ? `"${pattern}" leaves the repository; patterns name ignored files in it, as in a .gitignore`
    : null;
}

/** Null if notifications may go to the address. Plain http would show them to everybody on the way. */
export function faultOfWebhook(address: string): string | null {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol))
    return "must be an address such as https://example.com/hook";
  if (url.protocol === "http:" && !isLoopback(url.hostname))
    return "plain http goes to this machine only; use https";
  const isOpen = url.username !== "" || url.password !== "";
  return isOpen ? "must not hold a user or a password; sign it with `notify.webhook_secret_env`" : null;
}

function meant(near: string | null): string {
  return near === null ? "" : `; did you mean "${near}"?`;
}
