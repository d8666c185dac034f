/** Says in a few words what each rule of the publish gate looks for. */
import type { GateRule } from "./gate-finding.ts";

export const RULE_TITLES: Readonly<Record<GateRule, string>> = {
  credential: "No credential is new in a file",
  conflict_marker: "No conflict is left unresolved",
  symlink_outside: "No symbolic link leads out of the repository",
  disguised_path: "No name is taken for another one by some file systems",
  denied_path: "No path of `deny` was changed",
  file_too_large: "No file is larger than `gate.max_file_mib`",
  submodule_address: "No submodule has a new address",
  submodule_command: "No submodule has a command",
  lfs_address: "Git LFS has no new address",
  changed_meanwhile: "What is committed is what the gate has read",
  nested_repository: "No folder is a git repository of its own",
  dirty_submodule: "Every submodule can be filled by others",
  binary_file: "Binary files",
  not_scanned: "Files that were not read",
  agent_configuration: "Files that tell coding agents what they may do or run",
  workflow_file: "Files that the forge runs",
  control_character: "Names with characters that cannot be seen",
  left_out: "Files that are not committed",
  left_by_check: "Files that a check left",
  left_by_setup: "Files that the setup left",
  changed_after_setup: "Files that the setup and then the agent changed",
};
