/** Declares every key of the configuration, its type and its default. */
import { z } from "zod";
import { HOST_RULE } from "../network/host-rules.ts";
import { isBaseName } from "../repository/branch-names.ts";
import { faultOfTemplate, faultOfWebhook, leavesRepository, unknownRule } from "./typos.ts";

const text = z.string().min(1);
/** Not the root: then everything would be writable. */
const writablePath = z
  .string()
  .regex(/^(~?\/)[^/]/, 'must be an absolute path below "/", or begin with "~/"');
const host = z.string().regex(HOST_RULE);
const NETWORK =
  'must be "on", "off" or a list of hosts such as "example.com", "*.example.com", "example.com:8443" or "[2001:db8::7]:8080"';
const webhook = text.superRefine((address, context) => addFault(context, faultOfWebhook(address)));
const seconds = z.number().int().positive();
const slots = z.number().int().min(1).max(1000);

/** As in a .gitignore, each line is a pattern of its own. */
const pathPattern = text.regex(/^[^\r\n]*$/, "a pattern is one line");

const CHECK_NAME = "a check is named on one line, without spaces around it";

const check = z.strictObject({
  name: text.regex(/^(?!\s)[^\p{Cc}]*(?<!\s)$/u, CHECK_NAME),
  run: text,
  required: z.boolean().default(true),
  timeout_s: seconds.default(600),
});

/** No two checks may have the same name, because results are stored and shown under it. */
const checks = z.array(check).superRefine((all, context) => {
  const names = all.map(({ name }) => name.replace(/\s+/g, " ").toLowerCase());
  const twice = names.findIndex((name, index) => names.indexOf(name) !== index);
  if (twice < 0) return;
  const message = `two checks are called "${all[twice]?.name}"; give each check a name of its own`;
  context.addIssue({ code: "custom", path: [twice, "name"], message });
});

const AGENT_NAME =
  'an agent is named with letters, digits, ".", "_" and "-" (at most 64), beginning with a letter or a digit';

const agent = z.strictObject({
  executor: text,
  model: text.nullable().default(null),
  command: z.array(text).min(1).nullable().default(null),
  args: z.array(z.string()).default([]),
  env: z.record(z.string(), z.string()).default({}),
  home: text.nullable().default(null),
  login: text
    .nullable()
    .default(null)
    .describe("A name for its account: all agents with it share limits, on all workers."),
  approvals: z
    .enum(["ask", "never"])
    .nullable()
    .default(null)
    .describe("Whether a person is asked what rules do not decide; null: under the guard alone."),
});

const gateLevel = z.enum(["reject", "report", "off"]);

const gateRules = z.record(z.string(), gateLevel).superRefine((rules, context) => {
  for (const rule of Object.keys(rules)) addFault(context, unknownRule(rule), [rule]);
});

const branchTemplate = text.superRefine((template, context) => addFault(context, faultOfTemplate(template)));

const copyPattern = text.superRefine((pattern, context) => addFault(context, leavesRepository(pattern)));

function addFault(context: z.core.$RefinementCtx, message: string | null, path: string[] = []): void {
  if (message !== null) context.addIssue({ code: "custom", path, message });
}

/** The whole configuration; parsing `{}` gives every default. */
export const configurationSchema = z.strictObject({
  base: text
    .refine(isBaseName, "is not a branch, a tag or a commit")
    .nullable()
    .default(null)
    .describe("The branch attempts start from; null: the remote's default branch."),
  remote: text.default("origin").describe("The remote that is fetched from."),
  push_remote: text
    .nullable()
    .default(null)
    .describe("The remote that is pushed to; null: the same as `remote`."),
  default_agents: z
    .array(text)
    .max(64)
    .default([])
    .describe("The agents of `tazuna run` without `--agent`; one that is named twice makes two attempts."),
  branch: branchTemplate
    .default("tazuna/{id8}")
    .describe("Names of branches; {id8} and {slug} are filled in."),
  setup: z.array(text).default([]).describe("Shell commands run in every new worktree before the agent."),
  copy: z
    .array(copyPattern)
    .default([])
    .describe("Ignored files to bring into a new worktree; never committed."),
  checks: checks.default([]).describe("Commands that prove something about the tree."),
  publish: z.enum(["push", "commit", "hold"]).default("push").describe("What happens to a commit."),
  deny: z
    .array(pathPattern)
    .default([".env", ".env.*", "*.key", "*.pem", "!.env.example", "!.env.sample", "!.env.template"])
    .describe("Paths that never enter a commit, as in a .gitignore."),
  gate: z
    .strictObject({
      max_file_mib: z.number().positive().default(10),
      rules: gateRules.default({}),
    })
    .prefault({}),
  hooks: z.enum(["off", "run"]).default("off").describe("Whether the repository's own git hooks run."),
  sign: z
    .enum(["inherit", "off"])
    .default("inherit")
    .describe("Whether commits are signed as the user's git does."),
  submodules: z.enum(["none", "init"]).default("none"),
  forge: z
    .strictObject({
      kind: z.enum(["auto", "github", "gitlab", "gitea"]).default("auto"),
      api_url: text.nullable().default(null),
      poll_s: seconds.default(30),
      fix_loop: z
        .strictObject({ enabled: z.boolean().default(false), attempts: z.number().int().min(0).default(3) })
        .prefault({}),
      delete_remote_branch: z.boolean().default(false),
      webhook_secret_env: text.nullable().default(null),
    })
    .prefault({}),
  notify: z
    .strictObject({
      webhook: webhook.nullable().default(null).describe("Is told when something needs a person."),
      webhook_secret_env: text.nullable().default(null),
    })
    .prefault({}),
  isolation: z.enum(["auto", "sandbox", "guard"]).default("auto").describe("What holds agents back."),
  sandbox: z
    .strictObject({
      write: z.array(writablePath).default([]),
      network: z.union([z.enum(["on", "off"]), z.array(host)], { error: NETWORK }).default("on"),
    })
    .prefault({}),
  terminal: z
    .enum(["never", "here", "anywhere"])
    .default("here")
    .describe("From where a signed-in person may open a terminal in a worktree."),
  env: z.strictObject({ deny: z.array(text).default([]) }).prefault({}),
  limits: z
    .strictObject({
      parallel: slots.default(8),
      per_repository: slots.default(8),
      per_login: slots.default(4),
      timeout_s: seconds.default(3600),
      stall_s: seconds.default(600),
      setup_s: seconds.default(900),
      git_s: seconds.default(120),
      clone_s: seconds.default(3600),
      cost_usd: z.number().positive().nullable().default(null),
    })
    .prefault({}),
  agents: z.record(z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, AGENT_NAME), agent).default({}),
});

export type Configuration = z.infer<typeof configurationSchema>;
export type ConfiguredAgent = z.infer<typeof agent>;
export type ConfiguredCheck = z.infer<typeof check>;

/** The JSON Schema that `tazuna config --schema` prints and editors understand. */
export function configurationJsonSchema(): Record<string, unknown> {
  return {
    title: "Tazuna configuration",
    ...z.toJSONSchema(configurationSchema, { io: "input", target: "draft-2020-12" }),
  };
}
