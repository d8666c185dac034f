/** Says what confines agents on this machine, why not more, and how to get more. */
import { type Finding, makeFinding } from "./finding.ts";

export interface IsolationFacts {
  readonly platform: string;
  readonly wanted: "auto" | "sandbox" | "guard";
  /** The source of the setting of `wanted`; null if it is not set. */
  readonly setIn: string | null;
  /** The value of `sandbox.network`; only a sandbox enforces `off` and `hosts`. */
  readonly network: "on" | "off" | "hosts";
  readonly sandbox:
    | { readonly available: true; readonly name: string; readonly listsHosts: boolean }
    | {
        readonly available: false;
        readonly cause: "unknown_system" | "not_installed" | "does_not_hold" | "not_tried";
        /** A sentence. */
        readonly reason: string;
        readonly remedy: string;
      };
  readonly system: SystemFacts;
}

/** Facts of a Linux system that concern its sandbox. */
export interface SystemFacts {
  /** `ID` and `ID_LIKE` of `/etc/os-release`, such as `ubuntu` and `debian`. */
  readonly distribution: readonly string[];
  /** AppArmor lets only programs with a profile of their own make user namespaces (Ubuntu since 23.10). */
  readonly appArmorRestricts: boolean;
  /** The switch of the kernel that closes user namespaces; null if they are open. */
  readonly closedBy: "kernel.unprivileged_userns_clone" | "user.max_user_namespaces" | null;
  readonly inContainer: boolean;
}

const GUARD_LEAVES =
  "The guard does not stop git by its absolute path, or in an environment without its PATH. It does not stop a program with a git of its own, or a plain write into .git. An agent can read whatever you can read. What an agent did to the repository is found after its run.";

export function isolationFindings(facts: IsolationFacts): readonly Finding[] {
  return [isolationFinding(facts), ...networkFinding(facts)];
}

/** If nothing enforces the requested network, runs are refused. */
function networkFinding(facts: IsolationFacts): readonly Finding[] {
  const { sandbox, wanted, network } = facts;
  const held = wanted !== "guard" && sandbox.available && (network !== "hosts" || sandbox.listsHosts);
  // Another finding already reports that the requested sandbox is missing.
  if (network === "on" || held || (wanted === "sandbox" && !sandbox.available)) return [];
  return [
    makeFinding("error", "isolation_network", "No run can begin: nothing here holds `sandbox.network`.", {
      why: "Only a sandbox can take the network from a program. Not every sandbox can limit it to a list of hosts.",
      remedy:
        wanted === "guard" && sandbox.available
          ? 'Set `"isolation": "auto"`, or `sandbox.network` to `on`.'
          : `Set \`sandbox.network\` to \`on\`, or get a sandbox: ${moreIsolation(facts) ?? "this one holds no list of hosts."}`,
    }),
  ];
}

function isolationFinding(facts: IsolationFacts): Finding {
  const { sandbox, wanted, setIn } = facts;
  if (sandbox.available && wanted !== "guard")
    return makeFinding("ok", "isolation", `The sandbox holds agents (${sandbox.name}).`);
  if (sandbox.available)
    return makeFinding("info", "isolation", "The guard holds agents, though this machine has a sandbox.", {
      why: GUARD_LEAVES,
      remedy: `Set \`"isolation": "auto"\`${setIn === null ? "" : ` (it is set in ${setIn})`}.`,
    });
  const { reason } = sandbox;
  const remedy = moreIsolation(facts);
  if (wanted === "sandbox")
    return makeFinding("error", "isolation", `No run can begin: the sandbox is demanded. ${reason}`, {
      why: `\`isolation\` is \`sandbox\`${setIn === null ? "" : ` in ${setIn}`}; with \`auto\` the guard would hold agents.`,
      remedy,
    });
  if (facts.platform === "win32")
    return makeFinding(
      "warning",
      "isolation",
      "Nothing holds agents: Windows has neither sandbox nor guard.",
      {
        why: "What an agent did to the repository is found after its run.",
        remedy,
      },
    );
  const what = wanted === "guard" ? "The guard holds agents." : "The guard holds agents, not the sandbox.";
  return makeFinding("warning", "isolation", `${what} ${reason}`, {
    why: GUARD_LEAVES,
    remedy,
  });
}

/** How to get a working sandbox on this machine. */
function moreIsolation({ platform, sandbox, system }: IsolationFacts): string | null {
  if (sandbox.available) return null;
  if (platform === "win32") return "Work in WSL 2, with bubblewrap installed there.";
  if (platform !== "linux") return sandbox.remedy;
  if (sandbox.cause === "not_installed") return installBubblewrap(system.distribution);
  if (sandbox.cause !== "does_not_hold") return sandbox.remedy;
  if (system.closedBy !== null) {
    const where = system.inContainer ? " on the machine that runs the container" : "";
    return `\`sudo sysctl -w ${system.closedBy}=${OPEN[system.closedBy]}\`${where}; the same line in a file of /etc/sysctl.d keeps it.`;
  }
  if (system.inContainer)
    return "Start the container with `--security-opt seccomp=unconfined --security-opt systempaths=unconfined`, or let the container itself be what holds agents.";
  return system.appArmorRestricts ? `\`${APPARMOR_PROFILE}\`` : sandbox.remedy;
}

const OPEN = { "kernel.unprivileged_userns_clone": "1", "user.max_user_namespaces": "15000" } as const;

/** For bwrap alone: the restriction stays for all other programs. */
const APPARMOR_PROFILE =
  "printf 'abi <abi/4.0>,\\ninclude <tunables/global>\\nprofile bwrap /usr/bin/bwrap flags=(unconfined) { userns, }\\n' | sudo tee /etc/apparmor.d/bwrap && sudo apparmor_parser -r /etc/apparmor.d/bwrap";

const INSTALLERS: readonly (readonly [distribution: string, command: string])[] = [
  ["debian", "apt install"],
  ["ubuntu", "apt install"],
  ["fedora", "dnf install"],
  ["rhel", "dnf install"],
  ["arch", "pacman -S"],
  ["suse", "zypper install"],
  ["alpine", "apk add"],
];

function installBubblewrap(distribution: readonly string[]): string {
  const known = INSTALLERS.find(([name]) => distribution.includes(name));
  return known === undefined
    ? "Install bubblewrap, so that `bwrap` is on the PATH."
    : `\`sudo ${known[1]} bubblewrap\``;
}
