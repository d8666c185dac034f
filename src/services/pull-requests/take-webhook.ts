/** Takes what a forge calls out: if it knows the secret, its pull requests are looked at now. Nothing else is believed. */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { Uses } from "../core/context-parts.ts";
import type { ForgeWebhook } from "../core/request-shapes.ts";
import { lookSoon } from "./look-soon.ts";

type WebhookContext = Uses<"db" | "clock" | "forgeNews" | "configuration" | "userEnv">;

/** `off`: no secret is set, so that nobody can know it. */
export async function takeWebhook(
  context: WebhookContext,
  call: ForgeWebhook,
): Promise<"off" | "refused" | "taken"> {
  const secret = await secretOf(context);
  if (secret === null) return "off";
  if (!isSigned(call, secret)) return "refused";
  await lookSoon(context, { repositories: repositoriesIn(call.body) });
  return "taken";
}

/** The variable is named by the person's own settings alone, and read from the engine's own environment. */
async function secretOf({ configuration, userEnv }: WebhookContext): Promise<string | null> {
  const loaded = await configuration(null);
  const name = loaded.isErr() ? null : loaded.value.without.forge.webhook_secret_env;
  return name === null ? null : userEnv[name] || null;
}

function isSigned({ body, signatures }: ForgeWebhook, secret: string): boolean {
  const mac = createHmac("sha256", secret).update(body, "utf8").digest("hex");
  const { hub, gitea, gitlab } = signatures;
  const pairs = [
    [hub, `sha256=${mac}`],
    [gitea, mac],
    [gitlab, secret],
  ] as const;
  return pairs.some(([given, right]) => given !== null && isEqual(given, right));
}

/** Of any length, in the same time. */
function isEqual(one: string, other: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text, "utf8").digest();
  return timingSafeEqual(digest(one), digest(other));
}

/** The names that the forges give a repository, in small letters. */
function repositoriesIn(body: string): readonly string[] {
  try {
    const said = JSON.parse(body) as Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;
    return [said.repository?.full_name, said.project?.path_with_namespace].flatMap((name) =>
      typeof name === "string" ? [name.toLowerCase()] : [],
    );
  } catch {
    return [];
  }
}
