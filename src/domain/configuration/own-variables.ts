/** Lists the `TAZUNA_*` variables that set no key of the configuration; a command knows them without its schema. */

/** Read by Tazuna itself, beside those that set a key of the configuration. */
export const OWN_VARIABLES: readonly string[] = [
  "HOME DATABASE LOGS_KEY_ID LOGS_SECRET_KEY IDLE_EXIT GITHUB_TOKEN GITLAB_TOKEN GITEA_TOKEN MCP_TOKEN",
  // The name that the documents propose for `forge.webhook_secret_env`.
  "WEBHOOK_SECRET",
  // Tazuna sets these for the processes that it starts.
  "RUN ATTEMPT TASK WORKSPACE ISSUE_FILE PROMPT_FILE INSTRUCTION INSTRUCTION_FILE SUMMARY_FILE",
  "DEPOT_WORKER DEPOT_KEY SANDBOX SCRIPT LENT_TOKENS GIT CLONE QUESTIONS GUARD_TURNS EXEC TERMINAL_ID",
  // For tests and measurements; CONTRIBUTING.md names them.
  "TIMING OUTPUT_LIMITS FAILPOINT DEMO_PAUSE_MS CRASH_ROUNDS CRASH_SEED DISK_ONE_OF DISK_ONLY",
  "DEEP_ONE_OF DEEP_MINUTES DEEP_UNTIL GITS_KILLED GIT_ONLY COLLEAGUE_CELLS TALLY MANY BENCH_EXEC",
].flatMap((names) => names.split(" ").map((name) => `TAZUNA_${name}`));

/** The names of all other `TAZUNA_*` variables: settings, and what nothing reads. */
export function otherVariables(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.keys(env)
    .filter((name) => name.startsWith("TAZUNA_") && !name.startsWith("TAZUNA_TEST_"))
    .filter((name) => !OWN_VARIABLES.includes(name));
}
