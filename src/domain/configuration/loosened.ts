/** Tells in words which limits a repository's own configuration loosens. */
import type { GateLevels, GateRule } from "../publish/gate-finding.ts";
import { LEVEL_BY_DEFAULT } from "../publish/gate-finding.ts";
import type { Configuration } from "./schema.ts";

/**
 * `values` include the repository's files; `without` has only the user's files, variables and the defaults. Tightened
 * limits are not told.
 */
export function loosened(values: Configuration, without: Configuration): readonly string[] {
  return [
    ...ranked("isolation", values.isolation, without.isolation, ["guard", "auto", "sandbox"]),
    ...placesReached(values.sandbox.network, without.sandbox.network),
    ...added(values.sandbox.write, without.sandbox.write).map((path) => `sandbox.write: ${path}`),
    ...looserRules(values.gate.rules, without.gate.rules),
    ...larger("gate.max_file_mib", values.gate.max_file_mib, without.gate.max_file_mib),
    ...looserDeny(values.deny, without.deny),
    ...added(without.env.deny, values.env.deny).map((name) => `env.deny: no longer holds back ${name}`),
    ...differs("hooks", values.hooks, without.hooks),
    ...ranked("sign", values.sign, without.sign, ["off", "inherit"]),
    ...ranked("publish", values.publish, without.publish, ["push", "commit", "hold"]),
    ...larger("limits.cost_usd", values.limits.cost_usd, without.limits.cost_usd),
    ...missingChecks(values.checks, without.checks),
  ];
}

function instead(key: string, value: unknown, before: unknown): string {
  return `${key}: ${value ?? "none"} (instead of ${before ?? "none"})`;
}

/** `weakestFirst` orders the values of a key. */
function ranked(key: string, value: string, before: string, weakestFirst: readonly string[]): string[] {
  return weakestFirst.indexOf(value) < weakestFirst.indexOf(before) ? [instead(key, value, before)] : [];
}

/** Each value permits something that the other does not: a hook runs, or a hook checks no more. */
function differs(key: string, value: string, before: string): string[] {
  return value === before ? [] : [instead(key, value, before)];
}

/** Null is no limit. */
function larger(key: string, value: number | null, before: number | null): string[] {
  const isLarger = before !== null && (value === null || value > before);
  return isLarger ? [instead(key, value, before)] : [];
}

function added(values: readonly string[], before: readonly string[]): readonly string[] {
  return values.filter((value) => !before.includes(value));
}

type Network = Configuration["sandbox"]["network"];

function placesReached(network: Network, before: Network): readonly string[] {
  if (before === "on" || network === "off") return [];
  const places = typeof network === "string" ? [network] : network;
  return added(places, typeof before === "string" ? [] : before).map((place) => `sandbox.network: ${place}`);
}

const WEAKEST_FIRST = ["off", "report", "reject"];

function looserRules(rules: GateLevels, before: GateLevels): readonly string[] {
  return [...new Set([...Object.keys(rules), ...Object.keys(before)])].flatMap((rule) => {
    const byDefault = Object.hasOwn(LEVEL_BY_DEFAULT, rule) ? LEVEL_BY_DEFAULT[rule as GateRule] : "reject";
    const levels = [rules[rule] ?? byDefault, before[rule] ?? byDefault] as const;
    return ranked(`gate.rules.${rule}`, ...levels, WEAKEST_FIRST);
  });
}

/**
 * The last pattern that matches a path decides. Nothing more passes if every earlier pattern is still there and no
 * `!` pattern is new. Also, a `!` pattern must not have moved behind a pattern that it used to precede.
 */
function looserDeny(deny: readonly string[], before: readonly string[]): readonly string[] {
  const isException = (pattern: string) => pattern.startsWith("!");
  const gone = added(before, deny).filter((pattern) => !isException(pattern));
  const exceptions = deny.filter(isException);
  const overtakes = (exception: string) =>
    before.some(
      (pattern) =>
        !isException(pattern) &&
        before.lastIndexOf(exception) < before.lastIndexOf(pattern) &&
        deny.lastIndexOf(exception) > deny.lastIndexOf(pattern),
    );
  const looser = new Set(exceptions.filter((one) => !before.includes(one) || overtakes(one)));
  return [
    ...gone.map((pattern) => `deny: no longer holds ${pattern}`),
    ...[...looser].map((pattern) => `deny: lets ${pattern.slice(1)} through`),
  ];
}

type Checks = Configuration["checks"];

function missingChecks(checks: Checks, before: Checks): readonly string[] {
  const same = ({ name, run }: Checks[number]) =>
    checks.some((check) => check.name === name && check.run === run && check.required);
  return before
    .filter((check) => check.required && !same(check))
    .map(({ name }) => `checks: your required check ${name} is left out or changed`);
}
