/** Sends one notification to the webhook of the person's settings, signed if a secret is named. */
import { createHmac } from "node:crypto";
import type { Notification } from "../../domain/notification/need.ts";
import type { Uses } from "../core/context-parts.ts";

/** An answer that takes longer counts as none. */
export const PATIENCE_MS = 10_000;

/** `off`: no webhook is set. A failure is one line, without the address, which may hold a key. */
type Posted = "told" | "off" | { readonly failed: string };

/** Tries once. */
export async function postNotification(
  { configuration, userEnv, engineStop }: Uses<"configuration" | "userEnv" | "engineStop">,
  notification: Notification,
): Promise<Posted> {
  const loaded = await configuration(null);
  if (loaded.isErr()) return { failed: `the configuration cannot be read: ${loaded.error.message}` };
  const { webhook, webhook_secret_env: variable } = loaded.value.without.notify;
  if (webhook === null) return "off";
  const secret = variable === null ? null : userEnv[variable];
  if (secret === undefined || secret === "") return { failed: `the variable ${variable} is not set` };
  const body = JSON.stringify(notification);
  try {
    const response = await fetch(webhook, {
      method: "POST",
      headers: { "content-type": "application/json", "user-agent": "tazuna", ...signature(body, secret) },
      body,
      // Another address might not be the person's.
      redirect: "manual",
      signal: AbortSignal.any([AbortSignal.timeout(PATIENCE_MS), engineStop]),
    });
    await response.body?.cancel();
    return response.ok ? "told" : { failed: `it answered ${response.status}` };
  } catch (error) {
    return { failed: whyUnreachable(error as Error & { readonly code?: string }) };
  }
}

function signature(body: string, secret: string | null): Readonly<Record<string, string>> {
  if (secret === null) return {};
  return { "tazuna-signature": `sha256=${createHmac("sha256", secret).update(body, "utf8").digest("hex")}` };
}

function whyUnreachable({ name, code }: Error & { readonly code?: string }): string {
  if (name === "TimeoutError") return `it did not answer within ${PATIENCE_MS / 1000} seconds`;
  return `it cannot be reached (${code ?? name})`;
}
