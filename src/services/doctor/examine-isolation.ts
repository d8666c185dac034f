/** Asks how this machine can confine agents, and which of its settings explain the answer. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { Finding } from "../../domain/doctor/finding.ts";
import { isolationFindings, type SystemFacts } from "../../domain/doctor/isolation.ts";
import type { LoadedConfiguration } from "../configuration/load-configuration.ts";
import type { DoctorContext } from "./doctor-context.ts";

export async function examineIsolation(
  context: DoctorContext,
  { values, sources }: Pick<LoadedConfiguration, "values" | "sources">,
): Promise<readonly Finding[]> {
  const [sandbox, system] = await Promise.all([context.sandbox(), systemFacts()]);
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
  const [release, clone, max, appArmor] = await Promise.all([
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
      clone === "0" ? "kernel.unprivileged_userns_clone" : max === "0" ? "user.max_user_namespaces" : null,
    inContainer: existsSync("/.dockerenv") || existsSync("/run/.containerenv"),
  };
}

/** Empty if it cannot be read: other systems have no such file. */
async function textOf(path: string): Promise<string> {
  return (await readFile(path, "utf8").catch(() => "")).trim();
}
