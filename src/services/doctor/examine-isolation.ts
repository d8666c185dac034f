/** Asks what this machine can hold agents to, and what it says of itself that explains it. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { Finding } from "../../domain/doctor/finding.ts";
import { isolationFindings, type SystemFacts } from "../../domain/doctor/isolation.ts";
import type { LoadedConfiguration } from "../configuration/load-configuration.ts";
import type { Patient } from "./patient.ts";

export async function examineIsolation(
  patient: Patient,
  { values, sources }: Pick<LoadedConfiguration, "values" | "sources">,
): Promise<readonly Finding[]> {
  const [sandbox, system] = await Promise.all([patient.sandbox(), systemFacts()]);
  return isolationFindings({
    platform: process.platform,
    wanted: values.isolation,
    setIn: sources.get("isolation") ?? null,
    network: typeof values.sandbox.network === "string" ? values.sandbox.network : "hosts",
    sandbox,
    system,
  });
}

async function systemFacts(): Promise<SystemFacts> {
  const [release, clone, most, appArmor] = await Promise.all([
    textOf("/etc/os-release"),
    textOf("/proc/sys/kernel/unprivileged_userns_clone"),
    textOf("/proc/sys/user/max_user_namespaces"),
    textOf("/proc/sys/kernel/apparmor_restrict_unprivileged_userns"),
  ]);
  return {
    distribution: [...release.matchAll(/^ID(?:_LIKE)?=(.*)$/gm)].flatMap(([, names = ""]) =>
      names.replaceAll('"', "").split(" "),
    ),
    appArmorRestricts: appArmor === "1",
    closedBy:
      clone === "0" ? "kernel.unprivileged_userns_clone" : most === "0" ? "user.max_user_namespaces" : null,
    inContainer: existsSync("/.dockerenv") || existsSync("/run/.containerenv"),
  };
}

/** Empty where it cannot be read: another system has no such file. */
async function textOf(path: string): Promise<string> {
  return (await readFile(path, "utf8").catch(() => "")).trim();
}
